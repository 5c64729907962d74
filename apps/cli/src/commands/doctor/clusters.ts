/**
 * Databases in the system's directory whose Drover root is missing. Only root has some there. A disk that is not
 * mounted looks like a missing root: a database is removed only when a person names it, and its backups stay.
 */
import { access, readFile } from 'node:fs/promises';
import path from 'node:path';
import { CONFIG_FILE, ROOT_NOTE } from '@drover/config';
import { listStagedClusters, removeStagedDatabase } from '../../compose/database.ts';
import type { StagedCluster } from '../../compose/database.ts';
import { CommandError } from '../../exit-codes.ts';
import type { Surroundings } from '../../surroundings.ts';
import { confirmByName } from '../../terminal/confirm.ts';
import { ago, many } from '../../terminal/style.ts';
import type { Finding } from './here.ts';

type List = () => Promise<readonly StagedCluster[]>;

/** Finds databases whose root is missing. @param uid Only root has databases there. */
export async function examineClusters(
  { environment: { uid }, now }: Pick<Surroundings, 'environment' | 'now'>,
  list: List = listStagedClusters,
): Promise<readonly Finding[]> {
  if (uid !== 0) return [];
  const found = await Promise.all((await list()).map(async (one) => findingOf(one, await whyOrphan(one), now())));
  return found.filter((finding) => finding !== null);
}

function findingOf(cluster: StagedCluster, why: string | null, now: number): Finding | null {
  if (why === null) return null;
  const { directory, server, usedAt } = cluster;
  const about = { check: 'databases', about: directory } as const;
  if (usedAt === null)
    return {
      ...about,
      level: 'ok',
      says: `${why}; ${cluster.backups.length === 0 ? 'no database and no backup is' : `only ${backupsText(cluster)} of its database are`} left. If nobody needs these files: rm -r ${directory}`,
      help: null,
    };
  const help = server === null ? `drover doctor --remove-database ${path.basename(directory)}` : `kill ${server}`;
  const running = server === null ? '' : `; its server still runs as process ${server}`;
  return { ...about, level: 'warning', says: `${why}; ${useText(cluster, now)}${running}`, help };
}

/**
 * Removes the database of a missing root, once a person has typed its name, and keeps the backups.
 *
 * @throws {CommandError} `not-found` if no such database exists, `refused` if its root exists, or the database is in
 * use or has no backup.
 */
export async function removeDatabase(
  { terminal, now }: Pick<Surroundings, 'terminal' | 'now'>,
  { name, dryRun, yes }: { readonly name: string; readonly dryRun: boolean; readonly yes: boolean },
  list: List = listStagedClusters,
): Promise<void> {
  const find = async (): Promise<{ readonly cluster: StagedCluster; readonly why: string }> => {
    const cluster = (await list()).find(
      ({ directory, usedAt }) => usedAt !== null && path.basename(directory) === name,
    );
    if (cluster === undefined)
      throw new CommandError(
        'not-found',
        `There is no database "${name}": "drover doctor" lists those that can be removed`,
      );
    const why = await whyOrphan(cluster);
    if (why !== null) return { cluster, why };
    throw new CommandError(
      'refused',
      `The Drover root of the database "${name}" is here, or not known: "drover remove-root" in that root removes it with its database`,
    );
  };
  const { cluster, why } = await find();
  const { directory, backups } = cluster;
  const shown = `${directory}: ${why}; ${useText(cluster, now())}`;
  const kept = `${backupsText(cluster)} stay in ${path.join(directory, 'backups')}`;
  if (backups.length === 0)
    throw new CommandError(
      'refused',
      `${shown}. It has no backup to restore it from, so Drover does not remove it. If nobody needs it: rm -r ${directory}`,
    );
  if (dryRun) {
    terminal.out(`Would remove the database in ${shown}. Its ${kept}.`);
    return;
  }
  const question = `The database in ${shown}. Drover removes it, with everything written since its newest backup; its ${kept}.`;
  await confirmByName(question, { name, yes, terminal });
  // Its root may have come back during the question.
  await find();
  const refusal = await removeStagedDatabase(directory);
  if (refusal !== null) throw new CommandError('refused', `The database in ${directory} is not removed: ${refusal}`);
  if (terminal.json)
    terminal.out(JSON.stringify({ removed: directory, backups: backups.map((backup) => backup.path) }));
  else
    terminal.out(
      `Removed the database in ${directory}. Its ${kept}: "drover doctor --repair --restore DATE" in its root brings one back.`,
    );
}

function useText(cluster: StagedCluster, now: number): string {
  const { usedAt } = cluster;
  const last = usedAt === null ? 'it was never used' : `last used ${dayOf(usedAt)} (${ago(now - usedAt)})`;
  return `${last}; it has ${backupsText(cluster)}`;
}

function backupsText({ backups }: StagedCluster): string {
  const [newest] = backups;
  return newest === undefined ? 'no backup' : `${many(backups.length, 'backup')} (newest ${dayOf(newest.takenAt)})`;
}

function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

async function whyOrphan({ state, dataDir }: StagedCluster): Promise<string | null> {
  if (dataDir === null) return null;
  const maybe = 'does not exist here (deleted, or on a disk that is not mounted)';
  const root = await readFile(path.join(path.dirname(dataDir), ROOT_NOTE), 'utf8').catch(() => null);
  if (root === null) return state === 'orphan' ? `the data directory ${dataDir} ${maybe}` : null;
  if (state === 'orphan') return `${dataDir} of ${root.trim()} is gone or uses another database`;
  const isThere = await access(path.join(root.trim(), CONFIG_FILE)).then(
    () => true,
    () => false,
  );
  return isThere ? null : `its Drover root ${root.trim()} ${maybe}`;
}
