/** `drover queue add`: a task for whoever is idle next. */
import { ask } from '../../client/client.ts';
import { CommandError } from '../../exit-codes.ts';
import { text } from '../../program/options.ts';
import { queueText } from './text.ts';
import type { Surroundings } from '../../surroundings.ts';
import { readText } from '../../terminal/texts.ts';

/** Runs the command. @throws {CommandError} */
export async function run(
  surroundings: Surroundings,
  _args: readonly string[],
  options: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { terminal, cwd, now } = surroundings;
  const prompt = await readText({
    text: text(options, 'prompt'),
    file: text(options, 'promptFile'),
    cwd,
    what: 'prompt',
    given: '--prompt TEXT',
    option: '--prompt-file',
  });
  const input = { orderId: surroundings.uuid(), priority: priorityOf(text(options, 'priority') ?? 'S2'), prompt };
  const item = await ask(surroundings, (client) => client.queue.add.mutate(input));
  terminal.out(terminal.json ? JSON.stringify(item) : queueText([item], { now: now(), terminal }));
}

const PRIORITIES = ['S0', 'S1', 'S2', 'S3'] as const;

function priorityOf(given: string): (typeof PRIORITIES)[number] {
  const known = PRIORITIES.find((priority) => priority === given.toUpperCase());
  if (known === undefined)
    throw new CommandError('usage', `"${given}" is no priority: S0 is the most urgent, S3 the least`);
  return known;
}
