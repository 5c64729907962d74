// Finds the cluster's place on disk: the data directory, or, if the server's user cannot go there, the staging
// directory.
import { access, chmod, constants, mkdtemp, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Log } from '@drover/base';
import { type Account, accountForNewCluster, accountOfCluster, canReach, isRoot } from './account.ts';
import { makeDirectory } from './directories.ts';
import { EmbeddedPostgresError } from './errors.ts';
import { syncPath } from './sync-path.ts';

/**
 * Home of the cluster, and its owner. `home` holds `pgdata`, `password`, `server.log` and mostly `run`, the socket's
 * directory; it appears by one rename, so it is whole or absent.
 */
export type Place = { readonly home: string; readonly account: Account; readonly exists: boolean };

/** The name of the cluster's home in the directory that holds it. */
export const HOME_NAME = 'postgres';

/** A file in the data directory that names the place of a staged cluster. */
export const POINTER = 'staged-at';

/** Creates the data directory. Others may pass through root's, since the server runs as another user; only its owner may list it. */
export async function makeDataDirectory(dataDir: string): Promise<void> {
  await makeDirectory(dataDir, isRoot() ? 0o711 : 0o700);
  await access(dataDir, constants.W_OK | constants.X_OK); // says "read-only file system" to root, too
}

/** Finds the cluster of this data directory, or chooses where a new one shall live. */
export async function findPlace(dataDir: string, stagingDirectory: string, log: Log): Promise<Place> {
  const existing = await existingHome(dataDir);
  if (existing !== undefined) {
    return { home: existing, account: await accountOfCluster(join(existing, 'pgdata')), exists: true };
  }
  const account = await accountForNewCluster(log);
  if (await canReach(account, dataDir)) return { home: join(dataDir, HOME_NAME), account, exists: false };
  const staged = await makeStagedDirectory(dataDir, stagingDirectory);
  const who = account.kind === 'other' ? account.name : 'its user';
  log('info', `The database runs as ${who}, who cannot enter "${dataDir}": it is kept in "${staged}".`, { staged });
  return { home: join(staged, HOME_NAME), account, exists: false };
}

/**
 * Notes in the data directory where its new cluster lives. Called once the cluster is whole: a pointer therefore always
 * means that there was data, and a pointer to a missing place is an error, never a reason for an empty database.
 */
export async function rememberPlace(dataDir: string, { home }: Place): Promise<void> {
  if (home === join(dataDir, HOME_NAME)) return;
  const pointer = join(dataDir, POINTER);
  await writeFile(`${pointer}.new`, `${home}\n`, { flush: true });
  await rename(`${pointer}.new`, pointer);
  await syncPath(dataDir);
}

/** The name of a restored backup that is whole and about to take the place of the cluster. */
export const RESTORED_NAME = `${HOME_NAME}.restored`;

/** Finds where the cluster of this data directory is, or would be: in the directory, or where a staged cluster is kept. */
export async function homeOf(dataDir: string): Promise<string> {
  const here = join(dataDir, HOME_NAME);
  const pointer = join(dataDir, POINTER);
  if ((await exists(here)) || !(await exists(pointer))) return here;
  return (await readFile(pointer, 'utf8')).trim();
}

async function existingHome(dataDir: string): Promise<string | undefined> {
  const home = await homeOf(dataDir);
  await finishRestore(home);
  if (await exists(home)) return home;
  if (dirname(home) === dataDir) return undefined;
  const pointer = join(dataDir, POINTER);
  throw new EmbeddedPostgresError(
    'data-directory-unusable',
    `"${pointer}" says that the database is kept in "${home}", which is gone. ` +
      `Bring it back, put a backup in its place (drover doctor --repair --restore DATE), or delete "${pointer}" to begin with an empty database.`,
  );
}

/** A restore that was cut off between its two renames is completed: an empty database must not take the place. */
async function finishRestore(home: string): Promise<void> {
  const restored = join(dirname(home), RESTORED_NAME);
  if ((await exists(home)) || !(await exists(restored))) return;
  await rename(restored, home);
  await syncPath(dirname(home));
}

async function makeStagedDirectory(dataDir: string, stagingDirectory: string): Promise<string> {
  const clusters = join(stagingDirectory, 'clusters');
  await makeDirectory(clusters, 0o755);
  const staged = await mkdtemp(join(clusters, `${basename(dataDir)}-`));
  await chmod(staged, 0o711);
  return staged;
}

/** Tells whether anything is there; throws when that cannot be told. */
export async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false;
    throw error;
  }
}
