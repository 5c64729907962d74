// Lists the files that make a copy of a cluster, makes a copy durable, and gives it to the server's user.
import { constants } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, stat, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Account, giveTo } from '../account.ts';
import { syncPath } from '../sync-path.ts';

/** Directories that a server fills at each start. Source: "Making a Base Backup Using the Low Level API", Postgres documentation. */
const FILLED_ANEW: ReadonlySet<string> = new Set([
  'pg_dynshmem',
  'pg_notify',
  'pg_replslot',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
]);

/** Files of one run of a server, not of its data; the same source. */
const OF_ONE_RUN: ReadonlySet<string> = new Set(['postmaster.pid', 'postmaster.opts', 'pg_internal.init']);
const TEMPORARY = 'pgsql_tmp';

/** The file that a server rewrites as it runs; everything else is mended by the log. */
const CONTROL_FILE = join('global', 'pg_control');

/** Free space, in bytes, that a copy must leave: the running server needs some for its own log. */
const LEAVE_FREE_BYTES = 256 * 1024 ** 2;

export type CopyOptions = {
  readonly account: Account;
  /** Waits until the copy is on disk. */
  readonly durable: boolean;
  readonly signal?: AbortSignal | undefined;
};

/** A file to copy, or a directory to make, relative to the top. */
type Entry = { readonly path: string; readonly kind: 'file' | 'directory' };

/** Copies everything of a running cluster but its log (`pg_wal`), in the order in which it must be made. */
export async function copyRunningCluster(from: string, to: string, options: CopyOptions): Promise<void> {
  const entries = await entriesOf(from, (path) => !isLeftOut(path));
  await copyEntries(from, to, { entries: entries.filter(({ path }) => path !== CONTROL_FILE), ...options });
  await writeOwn(join(to, CONTROL_FILE), await readSteady(join(from, CONTROL_FILE)), options);
}

/** Copies everything below a directory to which no process writes. */
export async function copyTree(from: string, to: string, options: CopyOptions): Promise<void> {
  await copyEntries(from, to, { entries: await entriesOf(from, () => true), ...options });
}

/** Copies some files of one directory into another, which exists. */
export async function copyNamed(
  from: string,
  to: string,
  { names, ...options }: CopyOptions & { names: readonly string[] },
): Promise<void> {
  const entries = names.map((path) => ({ path, kind: 'file' as const }));
  await copyEntries(from, to, { entries, ...options });
}

/** Writes a private file that belongs to the server's account. */
export async function writeOwn(path: string, content: string | Uint8Array, options: CopyOptions): Promise<void> {
  await writeFile(path, content, { mode: 0o600, flush: options.durable });
  await giveTo(options.account, path);
}

/** Bytes of all files below a directory. Files that vanish meanwhile count for nothing. */
export async function bytesIn(directory: string): Promise<number> {
  let bytes = 0;
  for (const { path, kind } of await entriesOf(directory, () => true)) {
    if (kind === 'file') bytes += (await stat(join(directory, path)).catch(() => undefined))?.size ?? 0;
  }
  return bytes;
}

/**
 * Tells whether a disk takes so many bytes more and still leaves the server some. @returns the bytes that are free,
 * and the bytes that are needed.
 */
export async function roomFor(
  directory: string,
  bytes: number,
): Promise<{ readonly enough: boolean; readonly freeBytes: number; readonly needBytes: number }> {
  const { bavail, bsize } = await statfs(directory);
  const [freeBytes, needBytes] = [bavail * bsize, bytes + LEAVE_FREE_BYTES];
  return { enough: freeBytes >= needBytes, freeBytes, needBytes };
}

async function copyEntries(
  from: string,
  to: string,
  { entries, account, durable, signal }: CopyOptions & { entries: readonly Entry[] },
): Promise<void> {
  for (const { path, kind } of entries) {
    signal?.throwIfAborted();
    const target = join(to, path);
    if (kind === 'directory') await mkdir(target, { mode: 0o700, recursive: true });
    else if (!(await copyIfThere(join(from, path), target))) continue;
    await giveTo(account, target);
    if (durable) await syncPath(target);
  }
}

/** A table that was dropped since the list was made is missing in the log's later state, too. */
async function copyIfThere(from: string, to: string): Promise<boolean> {
  try {
    await copyFile(from, to, constants.COPYFILE_FICLONE);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false;
    throw error;
  }
}

/** Lists directories before what is in them. Sockets and links are no part of a cluster of ours. */
async function entriesOf(top: string, wanted: (path: string) => boolean): Promise<readonly Entry[]> {
  const found: Entry[] = [];
  const walk = async (directory: string): Promise<void> => {
    const listed = await readdir(join(top, directory), { withFileTypes: true }).catch(() => []);
    for (const entry of listed) {
      const path = join(directory, entry.name);
      if (!wanted(path)) continue;
      if (entry.isFile()) found.push({ path, kind: 'file' });
      if (!entry.isDirectory()) continue;
      found.push({ path, kind: 'directory' });
      await walk(path);
    }
  };
  await walk('');
  return found;
}

function isLeftOut(path: string): boolean {
  const [first = '', second, ...deeper] = path.split(/[/\\]/);
  const name = deeper.at(-1) ?? second ?? first;
  if (name.startsWith(TEMPORARY) || OF_ONE_RUN.has(name)) return true;
  return second !== undefined && (first === 'pg_wal' || FILLED_ANEW.has(first));
}

/** The control file is one small write; read until two readings agree, none of them was of half of it. */
async function readSteady(path: string): Promise<Uint8Array> {
  for (let last = await readFile(path); ;) {
    const next = await readFile(path);
    if (next.equals(last)) return next;
    last = next;
  }
}

/** Waits until a directory with all that was put into it by name is on disk. */
export async function syncDirectories(top: string): Promise<void> {
  for (const { path, kind } of await entriesOf(top, () => true)) {
    if (kind === 'directory') await syncPath(join(top, path));
  }
  await syncPath(top);
}
