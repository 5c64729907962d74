/** Acts of a person in a session, and facts that only the stored row has. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../../../../../tools/fleet/wait.ts';
import { oneByOne } from './one-by-one.ts';
import type { Scene } from './scene.ts';

/** Milliseconds for one step on a loaded machine. */
const STEP_MS = 120_000;

/** Waits until the policy has noted the screen after the last text: later changes are progress. */
export async function marked({ stand, name }: Scene): Promise<void> {
  const ask = async (): Promise<true | undefined> => {
    const [row] = await stand.sql(`SELECT state #>> '{turn,progress,mark}' AS mark FROM workers WHERE name = $1`, [
      name,
    ]);
    return row?.['mark'] == null ? undefined : true;
  };
  await until(() => `a mark of the progress of ${name}`, ask, STEP_MS);
}

/** Commits a file to the default branch of the source, like a colleague; git's lock there may be held just then. */
export async function colleagueCommits({ stand: { site } }: Scene, file: string, text: string): Promise<void> {
  const commit = (): true | undefined => {
    try {
      site.git(site.source, 'add', file);
      site.git(site.source, 'commit', '-q', '-m', `a colleague's ${file}`, '--', file);
      return true;
    } catch {
      return undefined;
    }
  };
  await oneByOne(site, async () => {
    writeFileSync(join(site.source, file), text);
    await until(() => `a commit of ${file} in the source`, commit, STEP_MS);
  });
}

/**
 * Accepts waiting work repeatedly, until a rule has fired so many times. The merge of another scenario makes Drover
 * bring waiting work onto the default branch by itself: then there is nothing to accept at that moment, and a person
 * looks again.
 */
export async function acceptUntil(scene: Scene, { rule, times }: { rule: string; times: number }): Promise<void> {
  let refused: unknown = 'never refused';
  const accept = async (): Promise<true | undefined> => {
    const { history } = await scene.why();
    if (history.filter(({ rules }) => rules.includes(rule)).length >= times) return true;
    const worker = await scene.view();
    if (worker?.status === 'needs_review' && worker.accepting === null)
      await scene.accept().catch((error: unknown) => (refused = error));
    return undefined;
  };
  await until(
    () => `${scene.name} is accepted until ${rule} fires ${times} times; ${String(refused)}`,
    accept,
    STEP_MS,
  );
}

/** Returns git's unfinished operation in the worker's worktree. */
export function operationOf({ stand: { site }, worktree }: Scene): 'rebase' | 'none' {
  const path = site.git(worktree, 'rev-parse', '--path-format=absolute', '--git-path', 'rebase-merge').trim();
  return existsSync(path) ? 'rebase' : 'none';
}

/** Waits until the policy has checked the worker so many times more: a check of a worker that is left alone does nothing. */
export async function untilChecked({ stand, name }: Scene, times: number): Promise<void> {
  const countChecks = async (): Promise<number> => {
    const query = `SELECT count(*)::int AS checks FROM events e JOIN workers w ON w.id = e.worker_id
      WHERE w.name = $1 AND e.event->>'name' = 'check'`;
    const [row] = await stand.sql(query, [name]);
    return Number(row?.['checks'] ?? 0);
  };
  const before = await countChecks();
  const ask = async (): Promise<true | undefined> => ((await countChecks()) >= before + times ? true : undefined);
  await until(() => `${times} more checks of ${name}`, ask, STEP_MS);
}

/** Types a text like a person, and presses Enter until the program takes it: a program may swallow one after quick typing. */
export async function typeByHand(scene: Scene, text: string): Promise<void> {
  await scene.keys('-l', text);
  const enter = async (): Promise<true | undefined> => {
    if (scene.taken(text) > 0) return true;
    await scene.keys('Enter');
    return undefined;
  };
  await until(() => `${scene.name} to take "${text}"`, enter, STEP_MS);
}
