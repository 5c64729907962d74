/** `drover accept`: merges work, and waits until it is in the default branch. */
import type { WorkerView } from '@drover/api';
import { ask } from '../../client/client.ts';
import { CommandError } from '../../exit-codes.ts';
import { answer, defined } from '../../program/answer.ts';
import { defineCommand } from '../../program/define.ts';
import { enabled, flag, optional, text } from '../../program/spec.ts';
import type { Surroundings } from '../../surroundings.ts';
import { plain } from '../../terminal/style.ts';
import { follow } from '../workers/by-name.ts';
import { workerLine } from '../workers/text.ts';

/** How long to wait, in milliseconds: the project's own checks run meanwhile. */
const PATIENCE_MS = 30 * 60_000;

/** `drover accept`: `refused` when the work was not merged; it waits for another try. */
export const command = defineCommand({
  about: 'merge the work that you have reviewed as one commit into the default branch',
  example: 'drover accept\ndrover accept adam\ndrover accept adam --head 1a2b3c4',
  args: { worker: optional('whose work (default: the one that you reviewed last)') },
  options: {
    head: text('commit', 'the commit that you have seen (default: the one that you reviewed last)'),
    nothing: flag('end the task also if the default branch has all of the work, so that nothing is merged'),
    wait: enabled('do not wait until it is merged'),
  },
  async run(surroundings, { args, options: { head, nothing, wait } }) {
    const input = { orderId: surroundings.uuid(), ...defined({ name: args.worker, head }), nothing };
    const { worker } = await ask(surroundings, (client) => client.workers.accept.mutate(input));
    const ended = wait ? await untilMerged(surroundings, worker) : worker;
    if (wait && ended.status !== 'idle') {
      throw new CommandError('refused', `${ended.name}: ${plain(ended.note)}${whatNext(ended)}`);
    }
    answer(surroundings, ended, workerLine);
  },
});

async function untilMerged(surroundings: Surroundings, worker: WorkerView): Promise<WorkerView> {
  const now = await follow(surroundings, worker, { isDone: isSettled, patienceMs: PATIENCE_MS });
  if (now === undefined) throw new CommandError('not-found', `${worker.name} was removed while it was being merged`);
  return now;
}

/** Where the note says what to do, or the agent has something to do first, there is no more to say. */
function whatNext({ name, status, note }: WorkerView): string {
  if (status !== 'needs_review' || note.includes('"drover ') || note.includes('which its agent resolves')) return '';
  return `; put that right, then "drover accept ${name}" again`;
}

function isSettled({ accepting }: WorkerView): boolean {
  return accepting === null;
}
