// Copies a running cluster so that the copy opens by itself and holds every row acknowledged before its end.
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Log } from '@drover/base';
import type { Client } from 'pg';
import { type Account, giveTo } from '../account.ts';
import {
  ABOUT_FILE,
  type Backup,
  type Origin,
  BACKUPS_NAME,
  nameOf,
  removeInterrupted,
  removeOldest,
  unfinishedIn,
} from './backups.ts';
import type { Durability } from '../server/cluster.ts';
import {
  bytesIn,
  copyNamed,
  type CopyOptions,
  copyRunningCluster,
  roomFor,
  syncDirectories,
  writeOwn,
} from './cluster-files.ts';
import { asSuperuser } from '../superuser.ts';
import { syncPath } from '../sync-path.ts';

/** A running cluster. `home` holds `pgdata` and the password. */
export type BackupSource = {
  readonly home: string;
  readonly account: Account;
  readonly durability: Durability;
  /** Connection string of the superuser, who reads nothing that the application owns: a view would run its functions as the superuser. */
  readonly connectionString: string;
  /** Asks the database whose it is, as the application. */
  readonly readOrigin: () => Promise<Origin | null>;
  readonly log: Log;
  readonly signal: AbortSignal;
};

/** A backup was made, or the disk is too full for one. */
export type BackupOutcome =
  | { readonly kind: 'made'; readonly backup: Backup }
  | { readonly kind: 'no-room'; readonly freeBytes: number; readonly needBytes: number };

/** Message logged when all files are copied: rows acknowledged until now are in the backup, by the log that follows. */
export const COPIED = 'The files of the database are copied; ending the backup.';

/**
 * Copies the cluster while it works, by Postgres' low-level backup: a temporary replication slot keeps the log from its
 * last checkpoint on, the files are copied between start and stop, and the log in between goes with them. The copy gets
 * its name by one rename, so it is whole or no backup. Only the process that runs the server calls it, once at a time.
 *
 * @param now Epoch milliseconds, from before anything is read.
 * @throws what Postgres or the disk says; nothing is left behind then that looks like a backup.
 */
export async function makeBackup(source: BackupSource, now: number): Promise<BackupOutcome> {
  const directory = await prepareDirectory(source);
  const room = await roomFor(directory, await bytesIn(join(source.home, 'pgdata')));
  if (!room.enough) return { kind: 'no-room', freeBytes: room.freeBytes, needBytes: room.needBytes };
  const unfinished = await mkdtemp(unfinishedIn(directory)); // mode 0700
  try {
    await giveTo(source.account, unfinished);
    const first = await source.readOrigin();
    const postgres = await asSuperuser({ ...source, applicationName: 'drover-backup' }, (client) =>
      copyBetweenStartAndStop(client, source, unfinished),
    );
    const facts = { takenAt: now, bytes: await bytesIn(unfinished), postgres, first };
    const options = copyOptions(source);
    await writeOwn(join(unfinished, ABOUT_FILE), `${JSON.stringify(facts)}\n`, options);
    if (options.durable) await syncDirectories(unfinished);
    const name = nameOf(now);
    const path = join(directory, name);
    await rename(unfinished, path);
    if (options.durable) await syncPath(directory);
    await removeOldest(directory);
    return { kind: 'made', backup: { name, path, ...facts } };
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    throw error;
  }
}

async function prepareDirectory({ home, account, log }: BackupSource): Promise<string> {
  const directory = join(dirname(home), BACKUPS_NAME);
  await mkdir(directory, { recursive: true, mode: 0o700 });
  await giveTo(account, directory);
  const interrupted = await removeInterrupted(directory);
  if (interrupted.length > 0) log('info', 'Removed a backup of the database that was cut off before its end.');
  return directory;
}

/** @returns the server's major version. */
async function copyBetweenStartAndStop(client: Client, source: BackupSource, target: string): Promise<number> {
  const [from, to] = [join(source.home, 'pgdata'), join(target, 'pgdata')];
  const options = copyOptions(source);
  const major = await majorOf(client);
  await client.query(`select pg_create_physical_replication_slot('drover_backup', true, true)`);
  const { begin, end } = major < 15 ? BEFORE_15 : SINCE_15;
  await client.query(begin);
  await mkdir(to, { mode: 0o700 });
  await giveTo(source.account, to);
  await copyRunningCluster(from, to, options);
  source.log('debug', COPIED);
  const { rows } = await client.query<{ label: string; last: string }>(end);
  const { label = '', last = '' } = rows[0] ?? {};
  await writeOwn(join(to, 'backup_label'), label, options);
  const names = await segmentsBetween(join(from, 'pg_wal'), firstSegment(label), last);
  await copyNamed(join(from, 'pg_wal'), join(to, 'pg_wal'), { names, ...options });
  await copyNamed(source.home, target, { names: ['password'], ...options });
  return major;
}

/** `fast`: a checkpoint now instead of one spread over minutes. Stopping switches to a new segment, so the last is whole. */
const SINCE_15 = {
  begin: `select pg_backup_start('drover', true)`,
  end: 'select labelfile as label, pg_walfile_name(lsn) as last from pg_backup_stop(false)',
};
const BEFORE_15 = {
  begin: `select pg_start_backup('drover', true, false)`,
  end: 'select labelfile as label, pg_walfile_name(lsn) as last from pg_stop_backup(false, false)',
};

async function majorOf(client: Client): Promise<number> {
  const { rows } = await client.query<{ major: number }>(
    `select current_setting('server_version_num')::int / 10000 as major`,
  );
  return rows[0]?.major ?? 0;
}

/** Reads the first segment from the label's first line, `START WAL LOCATION: 0/2000028 (file 000000010000000000000002)`. */
function firstSegment(label: string): string {
  const name = /\(file ([0-9A-F]{24})\)/.exec(label)?.[1];
  if (name === undefined) throw new Error(`The server's backup label names no segment of its log: ${label}`);
  return name;
}

/** Names of segments sort in the order of the log. */
async function segmentsBetween(directory: string, first: string, last: string): Promise<readonly string[]> {
  const names = (await readdir(directory)).filter((name) => /^[0-9A-F]{24}$/.test(name));
  const found = names.filter((name) => name >= first && name <= last).toSorted();
  if (found[0] === first && found.at(-1) === last) return found;
  throw new Error(`The log of the server from ${first} to ${last} is not whole in "${directory}"`);
}

function copyOptions({ account, durability, signal }: BackupSource): CopyOptions {
  return { account, durable: durability === 'full', signal };
}
