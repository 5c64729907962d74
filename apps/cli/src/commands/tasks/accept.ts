/** `drover accept`: merges work, and waits until it is in the default branch. */
import type { WorkerView } from '@drover/api';
import { ask } from '../../client/client.ts';
import { CommandError } from '../../exit-codes.ts';
import { optional, text } from '../../program/options.ts';
import { plain } from '../../terminal/style.ts';
import { workerLine } from '../workers/text.ts';
import type { Surroundings } from '../../surroundings.ts';
import { follow } from '../workers/by-name.ts';

/** How long to wait, in milliseconds: the project's own checks run meanwhile. */
const PATIENCE_MS = 30 * 60_000;

/** Runs the command. @throws {CommandError} `refused` when the work was not merged; it waits for another try. */
export async function run(
  surroundings: Surroundings,
  [name]: readonly string[],
  options: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { terminal } = surroundings;
  const input = {
    orderId: surroundings.uuid(),
    ...optional('name', name),
    ...optional('head', text(options, 'head')),
  };
  const { worker } = await ask(surroundings, (client) => client.workers.accept.mutate(input));
  const waits = options['wait'] !== false;
  const ended = waits ? await untilMerged(surroundings, worker) : worker;
  if (waits && ended.status !== 'idle') {
    throw new CommandError('refused', `${ended.name}: ${plain(ended.note)}${whatNext(ended)}`);
  }
  terminal.out(terminal.json ? JSON.stringify(ended) : workerLine(ended, terminal));
}

async function untilMerged(surroundings: Surroundings, worker: WorkerView): Promise<WorkerView> {
  const now = await follow(surroundings, worker, { isDone: isSettled, patienceMs: PATIENCE_MS });
  if (now === undefined) throw new CommandError('not-found', `${worker.name} was removed while it was being merged`);
  return now;
}

/** What is there is not what was reviewed: the note says so, and to review it again. */
function whatNext({ name, status, note }: WorkerView): string {
  if (status !== 'needs_review' || note.includes('run "drover review ')) return '';
  return `; put that right, then "drover accept ${name}" again`;
}

function isSettled({ accepting }: WorkerView): boolean {
  return accepting === null;
}
