// Brings the tables to what this build expects, by numbered SQL files, each applied once. See docs/adr/0002.
import type { Log } from '@drover/base';
import type { Client } from 'pg';
import { openClient } from '../connection/servers.ts';
import { CONNECT_TIMEOUT_MS } from '../connection/connect.ts';
import { type MigrationFile, readMigrationFiles } from './files.ts';
import { MigrationError } from './error.ts';
import { refuseOtherBuild } from './origin.ts';

/** A number that only Drover's migrations lock: "drover" as six bytes. */
const ADVISORY_LOCK = Buffer.from('drover').readUIntBE(0, 6);

/** Milliseconds that a runner waits for another one, or for a table in use. */
const LOCK_TIMEOUT_MS = 60_000;

/** Directory of the migrations, and callbacks to notify. */
export type MigrateOptions = {
  /** The directory of `NNNN_name.sql` files. */
  readonly directory: string;
  readonly log: Log;
  /** The number of the last file to apply. Default: all. */
  readonly through?: number | undefined;
  /** Called once before the first file that changes a database which other builds have used. A throw ends the migration. */
  readonly beforeChange?: (() => Promise<void>) | undefined;
};

/**
 * Applies missing migrations, one transaction per file. Any number of processes may do this at once: each file is
 * applied once.
 *
 * @returns the names of the files that this call applied.
 * @throws {MigrationError} before anything is changed, if the files are not those the database has seen; `failed` if a
 * file does not run: the files before it stay applied, it leaves nothing behind.
 */
export async function migrate(
  connectionString: string,
  { directory, log, through = Number.POSITIVE_INFINITY, beforeChange }: MigrateOptions,
): Promise<readonly string[]> {
  const files = await readMigrationFiles(directory);
  let isPrepared = false;
  const prepare = async (numSeen: number): Promise<void> => {
    if (!isPrepared && numSeen > 0) await beforeChange?.();
    isPrepared = true;
  };
  const client = await openClient(
    connectionString,
    { application_name: 'drover-migrate', connectionTimeoutMillis: CONNECT_TIMEOUT_MS },
    (error) => log('warn', `The connection of the migrations was lost: ${error.message}`),
  );
  const applied: string[] = [];
  try {
    for (;;) {
      const name = await inTransaction(client, () => applyNext(client, { files, through, prepare }));
      if (name === undefined) return applied;
      log('debug', `Applied the migration ${name}.`);
      applied.push(name);
    }
  } finally {
    // Logs one line for all files, also where a later one failed: a first start applies every file there is.
    const last = applied.at(-1)?.replace(/\.sql$/u, '');
    if (last !== undefined)
      log(
        'info',
        `Brought the database to migration ${last} (${applied.length} step${applied.length > 1 ? 's' : ''}).`,
      );
    await client.end();
  }
}

interface Applying {
  readonly files: readonly MigrationFile[];
  readonly through: number;
  /** Called under the lock, before a file is applied to a database that has seen so many. */
  readonly prepare: (numSeen: number) => Promise<void>;
}

/** @returns the applied file's name, or `undefined` when none is left. */
async function applyNext(client: Client, { files, through, prepare }: Applying): Promise<string | undefined> {
  await client.query(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`);
  await client.query('select pg_advisory_xact_lock($1)', [ADVISORY_LOCK]);
  await client.query(`create table if not exists schema_migration (
    number int primary key, name text not null, sha256 text not null, applied_at timestamptz not null default now())`);
  const seen = await client.query<Seen>('select number, name, sha256 from schema_migration order by number');
  refuseOtherHistory(files, seen.rows);
  const next = files[seen.rows.length];
  if (next === undefined || next.number > through) return undefined;
  await prepare(seen.rows.length);
  try {
    await client.query(next.sql);
  } catch (error) {
    throw MigrationError.failed(next, error);
  }
  await client.query('insert into schema_migration (number, name, sha256) values ($1, $2, $3)', [
    next.number,
    next.name,
    next.sha256,
  ]);
  return next.name;
}

type Seen = { number: number; name: string; sha256: string };

function refuseOtherHistory(files: readonly MigrationFile[], seen: readonly Seen[]): void {
  refuseOtherBuild(files, seen[0] ?? null, 'database');
  for (const [index, row] of seen.entries()) {
    const file = files[index];
    if (file === undefined) {
      throw new MigrationError(
        'older-build',
        `The database has the migration "${row.name}", which this build of Drover does not know: ` +
          'it was used by a newer one. Start that or a newer build; Drover never migrates backwards.',
      );
    }
    if (file.name !== row.name || file.sha256 !== row.sha256) {
      throw new MigrationError(
        'edited',
        `The migration "${file.name}" is not the one that this database has seen ("${row.name}"): ` +
          'an applied file must not change. Restore it and write a new one.',
      );
    }
  }
}

async function inTransaction<T>(client: Client, unit: () => Promise<T>): Promise<T> {
  await client.query('begin');
  try {
    const result = await unit();
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch(() => {}); // the connection may be gone, and the transaction with it
    throw error;
  }
}
