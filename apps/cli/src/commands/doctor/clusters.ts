/** Databases in the system's directory whose Drover root is gone. Only root has some there. */
import { access, readFile } from 'node:fs/promises';
import path from 'node:path';
import { CONFIG_FILE, ROOT_NOTE } from '@drover/config';
import { listStagedClusters, removeStagedCluster } from '../../compose/database.ts';
import type { StagedCluster } from '../../compose/database.ts';
import type { Finding } from './here.ts';

/** What the doctor says of the databases of this machine, and which it would remove. */
export interface ClusterFacts {
  readonly findings: readonly Finding[];
  readonly repairs: readonly { readonly key: string; readonly worker: string; readonly does: string }[];
}

const NONE: ClusterFacts = { findings: [], repairs: [] };
const KEY = 'database:';

/** Looks at all databases in the system's directory. @param uid Only root has databases there. */
export async function examineClusters(
  uid: number | undefined,
  list: () => Promise<readonly StagedCluster[]> = listStagedClusters,
): Promise<ClusterFacts> {
  if (uid !== 0) return NONE;
  const told = await Promise.all((await list()).map(async (one) => ({ one, why: await whyOrphan(one) })));
  const orphans = told.filter(({ why }) => why !== null);
  return {
    findings: orphans.map(({ one: { directory, server }, why }) => ({
      check: 'databases',
      about: directory,
      level: 'warning',
      says: `belongs to no Drover root any more: ${why}${server === null ? '' : `; its server still runs as process ${server}`}`,
      help: server === null ? 'drover doctor --repair' : `kill ${server}`,
    })),
    repairs: orphans
      .filter(({ one }) => one.server === null)
      .map(({ one: { directory }, why }) => ({
        key: `${KEY}${directory}`,
        worker: directory,
        does: `is removed with its backups, for ${why}`,
      })),
  };
}

/** Whether a repair removes a database here, and is none that the coordinator does. */
export function isOfCluster({ key }: { readonly key: string }): boolean {
  return key.startsWith(KEY);
}

/** Removes one. Who began to use it meanwhile keeps it: a server that runs is left alone. */
export async function removeCluster({ key, does }: { readonly key: string; readonly does: string }): Promise<{
  readonly key: string;
  readonly done: boolean;
  readonly says: string;
}> {
  const why = await removeStagedCluster(key.slice(KEY.length));
  return { key, done: why === null, says: why ?? does };
}

async function whyOrphan({ state, dataDir }: StagedCluster): Promise<string | null> {
  if (dataDir === null) return null;
  if (state === 'orphan') return `"${dataDir}" is gone or uses another one`;
  const root = await readFile(path.join(path.dirname(dataDir), ROOT_NOTE), 'utf8').catch(() => null);
  if (root === null) return null;
  const isThere = await access(path.join(root.trim(), CONFIG_FILE)).then(
    () => true,
    () => false,
  );
  return isThere ? null : `"${root.trim()}" is gone`;
}
