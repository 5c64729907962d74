/** `drover accept`: merges work, and waits until it is in the default branch. */
import type { WorkerView } from '@drover/api';
import { ask } from '../client.ts';
import { CommandError } from '../exit-codes.ts';
import { optional } from '../options.ts';
import { workerLine } from '../output/workers.ts';
import type { Surroundings } from '../surroundings.ts';

/** How long to wait, in milliseconds: the project's own checks run meanwhile. */
const PATIENCE_MS = 30 * 60_000;

/** Runs the command. @throws {CommandError} */
export async function run(
  surroundings: Surroundings,
  [name]: readonly string[],
  options: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { terminal } = surroundings;
  const input = { orderId: surroundings.uuid(), ...optional('name', name) };
  const { worker } = await ask(surroundings, (client) => client.workers.accept.mutate(input));
  const ended = options['wait'] === false ? worker : await untilMerged(surroundings, worker);
  terminal.out(terminal.json ? JSON.stringify(ended) : workerLine(ended, terminal));
  if (options['wait'] !== false && ended.status !== 'idle')
    throw new CommandError('refused', `${ended.name} was not merged: ${ended.note}`);
}

async function untilMerged(surroundings: Surroundings, worker: WorkerView): Promise<WorkerView> {
  const end = surroundings.now() + PATIENCE_MS;
  for (;;) {
    const now = (await ask(surroundings, (client) => client.workers.list.query())).find(({ id }) => id === worker.id);
    if (now === undefined) throw new CommandError('not-found', `${worker.name} is gone`);
    if (now.accepting === null) return now;
    if (surroundings.now() > end) return now;
    await surroundings.sleep(100);
  }
}
