// Puts a backup in the place of a damaged cluster without deleting anything.
import { mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { type LocalClock, type Log, systemClock } from '@drover/base';
import { accountOfCluster, giveTo } from '../account.ts';
import { ABOUT_FILE, type Backup, findBackup, listBackups, nameOf } from './backups.ts';
import { copyTree, type CopyOptions, roomFor, syncDirectories } from './cluster-files.ts';
import { storageError } from '../errors.ts';
import { lockDataDirectory } from '../lock.ts';
import { stopOrphan } from '../server/orphan.ts';
import { exists, HOME_NAME, homeOf, POINTER, RESTORED_NAME } from '../place.ts';
import { syncPath } from '../sync-path.ts';

/** Backup to restore, and the time: `now` in epoch milliseconds names the cluster that is moved aside. */
export type RestoreOptions = {
  readonly dataDir: string;
  /** The beginning of a backup's name, such as `2026-11-22`: the newest that fits. */
  readonly date: string;
  readonly now: number;
  /** Throws where the backup must not take the place of the database. Nothing is touched before. */
  readonly examine?: ((backup: Backup) => Promise<void>) | undefined;
  readonly log: Log;
  readonly clock?: LocalClock | undefined;
};

/** Outcome of a restore. `aside` is the path of the old cluster; null when there was none. */
export type RestoreOutcome =
  | { readonly kind: 'restored'; readonly backup: Backup; readonly aside: string | null }
  | { readonly kind: 'no-such-backup'; readonly backups: readonly Backup[] }
  | { readonly kind: 'no-room'; readonly freeBytes: number; readonly needBytes: number };

const UNFINISHED = `${HOME_NAME}.restoring-`;

/**
 * Puts a copy of a backup in the place of the cluster; the backup stays. No server may run: the lock of the data
 * directory says so. Cut off at any point it leaves the old cluster, or the restored one, which the next start takes.
 *
 * @throws {EmbeddedPostgresError} `in-use` while Drover runs; `still-stopping`, `disk-full`, `data-directory-unusable`.
 *   Before anything is touched, what `examine` throws.
 */
export async function restoreBackup(options: RestoreOptions): Promise<RestoreOutcome> {
  const dataDir = resolve(options.dataDir);
  try {
    using held = new DisposableStack();
    held.use(lockDataDirectory(dataDir));
    return await restore(dataDir, options);
  } catch (error) {
    throw storageError(dataDir, error);
  }
}

async function restore(
  dataDir: string,
  { date, now, examine, log, clock = systemClock }: RestoreOptions,
): Promise<RestoreOutcome> {
  const backups = await listBackups(dataDir);
  const backup = findBackup(backups, date);
  if (backup === undefined) return { kind: 'no-such-backup', backups };
  await examine?.(backup);
  const home = await homeOf(dataDir);
  const parent = dirname(home);
  const room = await roomFor(parent, backup.bytes);
  if (!room.enough) return { kind: 'no-room', freeBytes: room.freeBytes, needBytes: room.needBytes };
  await stopOrphan(join(home, 'pgdata'), { clock, log });
  await removeUnfinished(parent);
  await copyInto(backup, parent);
  const aside = await moveAside(home, now);
  await rename(join(parent, RESTORED_NAME), home);
  await syncPath(parent);
  return { kind: 'restored', backup, aside };
}

/** Renames the cluster. @returns its new path; null: there was none. */
async function moveAside(home: string, now: number): Promise<string | null> {
  const parent = dirname(home);
  const aside = join(parent, `${HOME_NAME}.damaged-${nameOf(now)}`);
  if (!(await exists(home))) return null;
  await rename(home, aside);
  await syncPath(parent);
  return aside;
}

/**
 * Moves the cluster aside, so that the next start makes an empty one. No server may run, as with `restoreBackup`.
 *
 * @returns the new path of the cluster; null: there was none.
 * @throws {EmbeddedPostgresError} `in-use` while Drover runs; `still-stopping`, `data-directory-unusable`.
 */
export async function setClusterAside({
  dataDir: given,
  now,
  log,
  clock = systemClock,
}: Pick<RestoreOptions, 'dataDir' | 'now' | 'log' | 'clock'>): Promise<string | null> {
  const dataDir = resolve(given);
  try {
    using held = new DisposableStack();
    held.use(lockDataDirectory(dataDir));
    const home = await homeOf(dataDir);
    await stopOrphan(join(home, 'pgdata'), { clock, log });
    const aside = await moveAside(home, now);
    // A pointer to a place without a cluster is an error of the next start.
    await rm(join(dataDir, POINTER), { force: true });
    return aside;
  } catch (error) {
    throw storageError(dataDir, error);
  }
}

/** Copies under a name that is used once, then renames to the name that the next start looks for. */
async function copyInto(backup: Backup, parent: string): Promise<void> {
  const account = await accountOfCluster(join(backup.path, 'pgdata'));
  const options: CopyOptions = { account, durable: true };
  const unfinished = await mkdtemp(join(parent, UNFINISHED));
  await giveTo(account, unfinished);
  await copyTree(backup.path, unfinished, options);
  await rm(join(unfinished, ABOUT_FILE));
  await syncDirectories(unfinished);
  await rename(unfinished, join(parent, RESTORED_NAME));
}

async function removeUnfinished(parent: string): Promise<void> {
  const names = await readdir(parent);
  for (const name of names.filter((one) => one.startsWith(UNFINISHED) || one === RESTORED_NAME)) {
    await rm(join(parent, name), { recursive: true, force: true, maxRetries: 5 });
  }
}
