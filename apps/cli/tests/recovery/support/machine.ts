/** Failures of a machine, and the database's record of them. */
import { until } from '../../../../../tools/fleet/wait.ts';
import type { Scene } from './scene.ts';

/** Milliseconds for one step on a loaded machine. */
const STEP_MS = 120_000;

/** Waits until the worker's machine counts as lost and a person is asked about it, once. The worker stays at work. */
export async function lost(scene: Scene): Promise<void> {
  let seen = '';
  const ask = async (): Promise<true | undefined> => {
    const [worker, questions] = await Promise.all([scene.view(), scene.questions()]);
    seen = `${worker?.machineState}, ${worker?.status}, ${questions.map(({ title }) => title).join(' | ')}`;
    if (worker?.machineState !== 'disconnected' || worker.status !== 'working') return undefined;
    return questions.length === 1 && /silent/u.test(questions[0]?.title ?? '') ? true : undefined;
  };
  await until(() => `the machine of ${scene.name} to be lost: ${seen}`, ask, STEP_MS);
}

/**
 * Resets the row to a backup of the database from before its session was opened, without deadlines of its own: nobody
 * looks for the session until the machine reports it.
 */
export async function knowsNoSession({ stand, name }: Scene): Promise<void> {
  const { agent, coordinator } = stand;
  await agent.kill();
  await coordinator.kill();
  await stand.sql(
    `UPDATE workers SET state = jsonb_set(jsonb_set(state, '{session,pane}', '{"kind": "absent"}'), '{command,inFlight}', 'null')
      || '{"deadlines": {}}' WHERE name = $1`,
    [name],
  );
  await stand.sql(`DELETE FROM due_work WHERE worker_id = (SELECT id FROM workers WHERE name = $1)`, [name]);
  coordinator.start();
  agent.start();
  await coordinator.ready();
  await agent.ready();
}

/** Waits until the row has a session again in which the agent has come up. */
export async function knowsSession({ stand, name }: Scene): Promise<void> {
  const ask = async (): Promise<true | undefined> => {
    const [row] = await stand.sql(`SELECT state #>> '{session,pane,kind}' AS kind FROM workers WHERE name = $1`, [
      name,
    ]);
    return row?.['kind'] === 'up' || undefined;
  };
  await until(() => `a session of ${name}`, ask, STEP_MS);
}
