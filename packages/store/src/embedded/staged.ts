// Which clusters lie in the staging directory, and to whom do they belong? As root they outlive a data directory that is deleted.
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { exists, HOME_NAME, POINTER } from './place.ts';
import { isAlive, readPostmasterFile } from './server/postmaster-file.ts';
import { DEFAULT_STAGING_DIRECTORY } from './staging-directory.ts';

/** A file in a staged directory that names the data directory whose cluster it holds. */
const OWNER = 'belongs-to';

/** A directory with a cluster that could not lie in its data directory. */
export interface StagedCluster {
  readonly directory: string;
  /** The data directory that it was made for; null where an older Drover made it, which did not note that. */
  readonly dataDir: string | null;
  /** `used`: its data directory names it, or is just making it. `orphan`: that is gone, or names another one. */
  readonly state: 'used' | 'orphan' | 'unknown';
  /** The process of its server; null when none runs. */
  readonly server: number | null;
}

/** Notes whose cluster it is, also for one that an older Drover made. */
export async function noteOwner(stagedDirectory: string, dataDir: string): Promise<void> {
  await writeFile(join(stagedDirectory, OWNER), `${dataDir}\n`);
}

/** All of them, by name. */
export async function listStagedClusters(
  stagingDirectory = DEFAULT_STAGING_DIRECTORY,
): Promise<readonly StagedCluster[]> {
  const clusters = join(stagingDirectory, 'clusters');
  const names = await readdir(clusters).catch((): string[] => []);
  return Promise.all(names.toSorted().map((name) => examine(join(clusters, name))));
}

/** Removes one with its backups. @returns why not, or null when it is gone. */
export async function removeStagedCluster(directory: string): Promise<string | null> {
  const { server } = await examine(directory);
  if (server !== null) return `its server still runs as process ${server}`;
  await rm(directory, { recursive: true, force: true, maxRetries: 5 });
  return null;
}

/**
 * Removes those of data directories that lie in a directory, which is about to go or is gone. Their servers must have ended: one that
 * still runs is left.
 */
export async function removeStagedBelow(directory: string, stagingDirectory?: string): Promise<void> {
  for (const { directory: staged, dataDir } of await listStagedClusters(stagingDirectory))
    if (dataDir === directory || dataDir?.startsWith(`${directory}/`) === true) await removeStagedCluster(staged);
}

async function examine(directory: string): Promise<StagedCluster> {
  const home = join(directory, HOME_NAME);
  const dataDir = await lineOf(join(directory, OWNER));
  const file = await readPostmasterFile(join(home, 'pgdata'));
  const server = file !== undefined && isAlive(file.pid) ? file.pid : null;
  return { directory, dataDir, state: dataDir === null ? 'unknown' : await stateOf(home, dataDir), server };
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
