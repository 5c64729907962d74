// Lists the clusters in the staging directory, and their owners. Under root, clusters outlive a data directory that is
// deleted.
import { readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Backup, BACKUPS_NAME, backupsIn } from './backups/backups.ts';
import { exists, HOME_NAME, POINTER } from './place.ts';
import { isAlive, readPostmasterFile } from './server/postmaster-file.ts';
import { DEFAULT_STAGING_DIRECTORY } from './staging-directory.ts';

/** A file in a staged directory that names the data directory whose cluster it holds. */
const OWNER = 'belongs-to';

/** A directory with a cluster that could not lie in its data directory. */
export interface StagedCluster {
  readonly directory: string;
  /** The data directory that it was made for; null where that is not noted. */
  readonly dataDir: string | null;
  /** `used`: its data directory names it, or is just making it. `orphan`: that is gone, or names another one. */
  readonly state: 'used' | 'orphan' | 'unknown';
  /** The process of its server; null when none runs. */
  readonly server: number | null;
  /** Epoch milliseconds at which its server last wrote its state; null when only backups are left. */
  readonly usedAt: number | null;
  /** Whole backups of the cluster, newest first. */
  readonly backups: readonly Backup[];
}

/** Notes whose cluster it is. */
export async function noteOwner(stagedDirectory: string, dataDir: string): Promise<void> {
  await writeFile(join(stagedDirectory, OWNER), `${dataDir}\n`);
}

/** Lists all staged clusters by name. */
export async function listStagedClusters(
  stagingDirectory = DEFAULT_STAGING_DIRECTORY,
): Promise<readonly StagedCluster[]> {
  const clusters = join(stagingDirectory, 'clusters');
  const names = await readdir(clusters).catch((): string[] => []);
  return Promise.all(names.toSorted().map((name) => examine(join(clusters, name))));
}

/** Removes the database of one and keeps its backups, of which there must be one. @returns why not, or null when it is removed. */
export async function removeStagedDatabase(directory: string): Promise<string | null> {
  const { server, backups } = await examine(directory);
  if (server !== null) return `its server still runs as process ${server}`;
  if (backups.length === 0) return `it has no backup in "${join(directory, BACKUPS_NAME)}" that could bring it back`;
  const home = join(directory, HOME_NAME);
  // A removal that is cut off must not leave half a database under the name of a whole one.
  const removed = `${home}.removed`;
  await rm(removed, { recursive: true, force: true, maxRetries: 5 });
  if (await exists(home)) await rename(home, removed);
  await rm(removed, { recursive: true, force: true, maxRetries: 5 });
  return null;
}

/**
 * Removes those of data directories that lie in a directory, with their backups. Only for tests and measurements, which make such
 * directories and delete them. Their servers must have ended: one that still runs is left.
 */
export async function removeStagedBelow(directory: string, stagingDirectory?: string): Promise<void> {
  for (const { directory: staged, dataDir, server } of await listStagedClusters(stagingDirectory)) {
    if (server !== null || !(dataDir === directory || dataDir?.startsWith(`${directory}/`) === true)) continue;
    await rm(staged, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function examine(directory: string): Promise<StagedCluster> {
  const home = join(directory, HOME_NAME);
  const dataDir = await lineOf(join(directory, OWNER));
  const file = await readPostmasterFile(join(home, 'pgdata'));
  const server = file !== undefined && isAlive(file.pid) ? file.pid : null;
  const usedAt = await stat(join(home, 'pgdata', 'global', 'pg_control')).then(
    ({ mtimeMs }) => mtimeMs,
    () => null,
  );
  const backups = await backupsIn(join(directory, BACKUPS_NAME));
  const state = dataDir === null ? 'unknown' : await stateOf(home, dataDir);
  return { directory, dataDir, state, server, usedAt, backups };
}

async function stateOf(home: string, dataDir: string): Promise<'used' | 'orphan'> {
  if (!(await exists(dataDir))) return 'orphan';
  const named = await lineOf(join(dataDir, POINTER));
  return named === null || named === home ? 'used' : 'orphan';
}

async function lineOf(file: string): Promise<string | null> {
  return readFile(file, 'utf8').then(
    (text) => text.trim() || null,
    () => null,
  );
}
