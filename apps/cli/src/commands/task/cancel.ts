/** `drover cancel`: ends a task without a result, keeps its work, and waits until its agent has stopped. */
import type { CancelView, WorkerView } from '@drover/api';
import { ask } from '../../client/client.ts';
import { answer } from '../../program/answer.ts';
import { defineCommand } from '../../program/define.ts';
import { required } from '../../program/spec.ts';
import type { Surroundings } from '../../surroundings.ts';
import { follow } from '../worker/by-name.ts';
import { cancelText } from './cancel-text.ts';

/** Milliseconds to wait for the agent: longer than the agent may take to see that no turn begins any more. */
const PATIENCE_MS = 30_000;

export const command = defineCommand({
  about: 'stop a worker at its task, keep its work',
  more: 'Its agent stops, the task ends without a result, and the worker is free for another. Drover keeps the work.',
  example: 'drover cancel adam\ndrover cancel 4f1e22ab',
  args: { name: required('a worker, or the id of a task or of an item in the work queue') },
  options: {},
  async run(surroundings, { args: { name } }) {
    const input = { requestId: surroundings.uuid(), name };
    const cancelled = await ask(surroundings, (client) => client.workers.cancel.mutate(input));
    answer(surroundings, await whenStopped(surroundings, cancelled), cancelText);
  },
});

/** Waits for the agent, unless its machine is silent. */
async function whenStopped(surroundings: Surroundings, cancelled: CancelView): Promise<CancelView> {
  const { worker } = cancelled;
  if (worker === null || !worker.stopping || worker.machineState !== 'connected') return cancelled;
  const last = await follow(surroundings, worker, { isDone: hasStopped, patienceMs: PATIENCE_MS });
  return { ...cancelled, worker: last ?? { ...worker, stopping: false } };
}

function hasStopped({ stopping }: WorkerView): boolean {
  return !stopping;
}
