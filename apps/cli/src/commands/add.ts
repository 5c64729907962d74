/** `drover add`: a new worker. */
import { ask } from '../client.ts';
import { workerLine } from '../output/workers.ts';
import { optional, text } from '../options.ts';
import type { Surroundings } from '../surroundings.ts';

/** Runs the command. @throws {CommandError} */
export async function run(
  surroundings: Surroundings,
  [name = '']: readonly string[],
  options: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { terminal } = surroundings;
  const input = {
    orderId: surroundings.uuid(),
    name,
    ...optional('model', text(options, 'model')),
    ...optional('rolePrompt', text(options, 'rolePrompt')),
    ...optional('profile', text(options, 'profile')),
    ...optional('machine', text(options, 'machine')),
  };
  const { worker } = await ask(surroundings, (client) => client.workers.add.mutate(input));
  terminal.out(terminal.json ? JSON.stringify(worker) : `Added ${workerLine(worker, terminal)}`);
}
