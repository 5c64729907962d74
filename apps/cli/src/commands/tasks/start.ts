/** `drover start`: a task for an idle worker. */
import { ask } from '../../client/client.ts';
import { optional, text } from '../../program/options.ts';
import { workerLine } from '../workers/text.ts';
import type { Surroundings } from '../../surroundings.ts';
import { readText } from '../../terminal/texts.ts';

/** Runs the command. @throws {CommandError} */
export async function run(
  surroundings: Surroundings,
  _args: readonly string[],
  options: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { terminal, cwd } = surroundings;
  const prompt = await readText({
    text: text(options, 'prompt'),
    file: text(options, 'promptFile'),
    cwd,
    what: 'prompt',
    given: '--prompt TEXT',
    option: '--prompt-file',
  });
  const input = { orderId: surroundings.uuid(), prompt, ...optional('name', text(options, 'worker')) };
  const { worker } = await ask(surroundings, (client) => client.workers.start.mutate(input));
  terminal.out(terminal.json ? JSON.stringify(worker) : workerLine(worker, terminal));
}
