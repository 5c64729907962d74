// The build that made a database, by the first migration that the database has seen.
import { MigrationError } from './error.ts';
import type { MigrationFile } from './files.ts';

/** A migration as a database has seen it. */
export type SeenMigration = Pick<MigrationFile, 'name' | 'sha256'>;

/** Reads the first migration that the database has seen, null where none was. */
export async function readFirstMigration(client: {
  query<T extends object>(text: string): Promise<{ rows: T[] }>;
}): Promise<SeenMigration | null> {
  const { rows: tables } = await client.query(`select from pg_class where oid = to_regclass('schema_migration')`);
  if (tables.length === 0) return null;
  const { rows } = await client.query<SeenMigration>('select name, sha256 from schema_migration where number = 1');
  return rows[0] ?? null;
}

/** Tells whether this build, or another of its line, has made a database. True for an empty one, to which nothing was ever applied. */
export function isOfThisLine(files: readonly SeenMigration[], first: SeenMigration | null): boolean {
  return first === null || (files[0]?.name === first.name && files[0].sha256 === first.sha256);
}

/** @throws {MigrationError} `other-build`. */
export function refuseOtherBuild(
  files: readonly SeenMigration[],
  first: SeenMigration | null,
  what: 'database' | 'backup',
): void {
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
