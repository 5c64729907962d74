// Lists the dated copies of the cluster, and finds those beyond the limit.
import { readdir, readFile, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { homeOf } from '../place.ts';

/** Number of backups that are kept; each new backup removes what is older than the last seven. Source: docs/adr/0001-one-postgres-everywhere.md. */
export const BACKUPS_KEPT = 7;

/** A whole copy of the cluster. `takenAt` is epoch milliseconds: every row acknowledged before that is in it. */
export type Backup = {
  /** Time when the backup was taken, as people name it: `2026-11-22T03-04-05Z`. */
  readonly name: string;
  readonly path: string;
  readonly takenAt: number;
  readonly bytes: number;
  /** Major version of the server that wrote it. */
  readonly postgres: number;
  /** Null: the database was empty. */
  readonly first: Origin | null;
};

const originSchema = z.object({ name: z.string(), sha256: z.string() });

/** The first migration that a database has seen, which says whose it is. */
export type Origin = Readonly<z.infer<typeof originSchema>>;

/** Facts that a backup holds beside the cluster, under `ABOUT_FILE`. */
export const about = z.object({
  takenAt: z.number(),
  bytes: z.number(),
  postgres: z.number(),
  first: originSchema.nullable(),
});

/** File that describes a backup. Drover writes it last, so a copy without this file is no backup. */
export const ABOUT_FILE = 'backup.json';

/** The directory of the backups, beside the cluster's home. */
export const BACKUPS_NAME = 'backups';

const UNFINISHED = '.unfinished-';
const NAME = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ$/;

/** The directory of the backups: beside the cluster, wherever that is kept. */
export async function backupsDirectory(dataDir: string): Promise<string> {
  return join(dirname(await homeOf(dataDir)), BACKUPS_NAME);
}

/** Tells whether an embedded database was ever made for this data directory, be it damaged or not. */
export async function hasCluster(dataDir: string): Promise<boolean> {
  const home = await homeOf(dataDir);
  return (await namesIn(dirname(home))).includes(basename(home));
}

/** Lists all whole backups, newest first; none where nothing was ever backed up. */
export async function listBackups(dataDir: string): Promise<readonly Backup[]> {
  return backupsIn(await backupsDirectory(dataDir));
}

/** The same for the directory itself. */
export async function backupsIn(directory: string): Promise<readonly Backup[]> {
  const names = (await namesIn(directory)).filter((name) => NAME.test(name));
  const found = await Promise.all(names.map((name) => readBackup(join(directory, name), name)));
  return found.filter((backup) => backup !== undefined).toSorted((one, other) => other.takenAt - one.takenAt);
}

/** A time as the name of a backup, in UTC and without colons, which Windows refuses. */
export function nameOf(takenAt: number): string {
  return `${new Date(takenAt).toISOString().slice(0, 19).replaceAll(':', '-')}Z`;
}

/** The newest backup whose name begins with `date`, such as `2026-11-22`; `undefined` when there is none. */
export function findBackup(backups: readonly Backup[], date: string): Backup | undefined {
  return backups.find(({ name }) => name.startsWith(date.replaceAll(':', '-')));
}

/** The prefix of a copy under way. Names are used once, so that a killed copier never writes into another's copy. */
export function unfinishedIn(directory: string): string {
  return join(directory, UNFINISHED);
}

/** Removes what interrupted copies left. The caller holds the data directory's lock. */
export async function removeInterrupted(directory: string): Promise<readonly string[]> {
  const names = (await namesIn(directory)).filter((name) => name.startsWith(UNFINISHED));
  for (const name of names) await rm(join(directory, name), { recursive: true, force: true, maxRetries: 5 });
  return names;
}

/** Removes all but the newest `BACKUPS_KEPT`. */
export async function removeOldest(directory: string): Promise<void> {
  const all = await backupsIn(directory);
  for (const { path } of all.slice(BACKUPS_KEPT)) await rm(path, { recursive: true, force: true, maxRetries: 5 });
}

async function readBackup(path: string, name: string): Promise<Backup | undefined> {
  const text = await readFile(join(path, ABOUT_FILE), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const read = about.safeParse(parsed(text));
  return read.success ? { name, path, ...read.data } : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function namesIn(directory: string): Promise<readonly string[]> {
  try {
    return await readdir(directory);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}
