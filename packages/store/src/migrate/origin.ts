// The build that made a database, by the first migration that the database has seen.
import type { Log } from '@drover/base';
import type { Origin } from '@drover/embedded-postgres';
import { CONNECT_TIMEOUT_MS } from '../connection/connect.ts';
import { openClient } from '../connection/servers.ts';
import { MigrationError } from './error.ts';
import { readMigrationFiles } from './files.ts';

/** Reads the first migration that a database has seen, null where none was. @throws what Postgres says. */
export async function readOrigin(connectionString: string, { log }: { log: Log }): Promise<Origin | null> {
  const client = await openClient(connectionString, { connectionTimeoutMillis: CONNECT_TIMEOUT_MS }, (error) =>
    log('debug', `The connection was lost: ${error.message}`),
  );
  try {
    return await readFirstMigration(client);
  } finally {
    await client.end();
  }
}

/**
 * Refuses to restore a backup that another build made.
 *
 * @param directory Directory of this build's migrations.
 * @throws {MigrationError} `other-build`.
 */
export async function refuseForeignBackup(directory: string, { first }: { first: Origin | null }): Promise<void> {
  refuseOtherBuild(await readMigrationFiles(directory), first, 'backup');
}

/** Reads the first migration that the database has seen, null where none was. */
export async function readFirstMigration(client: {
  query<T extends object>(text: string): Promise<{ rows: T[] }>;
}): Promise<Origin | null> {
  const { rows: tables } = await client.query(`select from pg_class where oid = to_regclass('schema_migration')`);
  if (tables.length === 0) return null;
  const { rows } = await client.query<Origin>('select name, sha256 from schema_migration where number = 1');
  return rows[0] ?? null;
}

/** Tells whether this build, or another of its line, has made a database. True for an empty one, to which nothing was ever applied. */
export function isOfThisLine(files: readonly Origin[], first: Origin | null): boolean {
  return first === null || (files[0]?.name === first.name && files[0].sha256 === first.sha256);
}

/** @throws {MigrationError} `other-build`. */
export function refuseOtherBuild(files: readonly Origin[], first: Origin | null, what: 'database' | 'backup'): void {
  if (first === null || isOfThisLine(files, first)) return;
  throw new MigrationError(
    'other-build',
    `This ${what} was made by another build of Drover, which begins with the migration "${first.name}" ` +
      `(${first.sha256.slice(0, 8)}) and not with "${files[0]?.name}" (${files[0]?.sha256.slice(0, 8)}): it is left as it is. ` +
      (what === 'database' ? OTHER_DATABASE : 'Restore it with the build that made it.'),
  );
}

/** Message, also for `drover doctor`. */
export const OTHER_DATABASE =
  'Start the build that made it, or give this one another database: DATABASE_URL names a server, DROVER_DATA_DIR a directory.';
