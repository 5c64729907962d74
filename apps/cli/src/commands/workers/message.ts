/** `drover message`: words for a worker at its task. */
import { ask } from '../../client/client.ts';
import { text } from '../../program/options.ts';
import { workerLine } from './text.ts';
import type { Surroundings } from '../../surroundings.ts';
import { readText } from '../../terminal/texts.ts';

/** Runs the command. @throws {CommandError} */
export async function run(
  surroundings: Surroundings,
  [name = '', ...words]: readonly string[],
  options: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { terminal, cwd } = surroundings;
  const given = words.length === 0 ? undefined : words.join(' ');
  const message = await readText({
    text: given,
    file: text(options, 'file'),
    cwd,
    what: 'message',
    given: 'writing it after the worker',
    option: '--file',
  });
  const input = { orderId: surroundings.uuid(), name, text: message };
  const { worker } = await ask(surroundings, (client) => client.workers.message.mutate(input));
  terminal.out(terminal.json ? JSON.stringify(worker) : workerLine(worker, terminal));
}
