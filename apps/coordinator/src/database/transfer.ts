/** Exports a database to a file and imports it again, while no coordinator of this machine runs on it. */
import { statfs } from 'node:fs/promises';
import type { Log } from '@drover/base';
import { hasCluster } from '@drover/embedded-postgres';
import { exportDatabase, importDatabase, readExportFile, writeExportFile } from '@drover/store';
import type { Imported } from '@drover/store';
import type { DatabaseChoice } from './address.ts';
import { startOwnPostgres } from './own-postgres.ts';

/** A file, and the database to export or to replace. */
export interface TransferParts {
  readonly database: DatabaseChoice;
  /** Absolute path; a name that ends in `.gz` is compressed. */
  readonly file: string;
  readonly log: Log;
}

/** Tells whether a database exists to export or replace: a server of the user's own always exists. */
export async function databaseExists(database: DatabaseChoice): Promise<boolean> {
  return database.kind === 'url' || hasCluster(database.dataDir);
}

/**
 * Writes the whole database into the file, as of one moment; with `redact` without secrets and rights, for others to read.
 *
 * @throws {TransferError | EmbeddedPostgresError}.
 */
export async function exportToFile({
  database,
  file,
  log,
  redact,
}: TransferParts & { redact?: (text: string) => string }): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const { url } = await opened(database, log, stack);
  await writeExportFile(file, exportDatabase(url, { log, ...(redact !== undefined && { redact }) }));
}

/** Result of an import; `backup` is the path of the previous embedded database. */
export type ImportedFile = Imported & { readonly backup: string | null };

/**
 * Makes the file the content of the database, whole or not at all. Backs up an embedded database first if its rows are replaced.
 *
 * @param now Epoch milliseconds.
 * @throws {TransferError | EmbeddedPostgresError | MigrationError}; `no-room` as an Error when the backup does not fit.
 */
export async function importFromFile({
  database,
  file,
  log,
  migrationsDir,
  replace,
  withTokens,
  now,
}: TransferParts & {
  migrationsDir: string;
  replace: boolean;
  withTokens: boolean;
  now: number;
}): Promise<ImportedFile> {
  const isThere = await databaseExists(database);
  await using stack = new AsyncDisposableStack();
  const { url, backUp } = await opened(database, log, stack);
  const backup = replace && isThere ? await backUp(now) : null;
  const limits = { freeBytes: () => freeBytesOf(database) };
  const options = { log, migrations: migrationsDir, replace, withTokens, limits };
  const imported = await importDatabase(url, readExportFile(file), options);
  return { ...imported, backup };
}

/** Bytes free for an import; null for a server that is not Drover's own. */
async function freeBytesOf(database: DatabaseChoice): Promise<number | null> {
  if (database.kind === 'url') return null;
  const { bavail, bsize } = await statfs(database.dataDir);
  return bavail * bsize;
}

/** @returns the database's address, and a function that backs it up: null for a server that is not Drover's own. */
async function opened(
  database: DatabaseChoice,
  log: Log,
  stack: AsyncDisposableStack,
): Promise<{ url: string; backUp: (now: number) => Promise<string | null> }> {
  if (database.kind === 'url') return { url: database.directUrl ?? database.url, backUp: () => Promise.resolve(null) };
  const embedded = stack.use(await startOwnPostgres(database.dataDir, { log }));
  return {
    url: embedded.connectionString,
    backUp: async (now) => {
      const outcome = await embedded.backUp(now);
      if (outcome.kind === 'made') return outcome.backup.path;
      throw new Error(`No space left for a backup of what would be replaced: ${outcome.needBytes} bytes are needed`);
    },
  };
}
