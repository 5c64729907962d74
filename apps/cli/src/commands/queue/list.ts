/** `drover queue`: the work that waits, most urgent first. */
import { ask } from '../../client/client.ts';
import { count, flag } from '../../program/options.ts';
import { queueText } from './text.ts';
import type { Surroundings } from '../../surroundings.ts';

/** Runs the command. @throws {CommandError} */
export async function run(
  surroundings: Surroundings,
  _args: readonly string[],
  options: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { terminal, now } = surroundings;
  const input = { all: flag(options, 'all'), limit: count(options, 'limit', { min: 1, max: 1_000 }) ?? 50 };
  const items = await ask(surroundings, (client) => client.queue.list.query(input));
  terminal.out(terminal.json ? JSON.stringify(items) : queueText(items, { now: now(), terminal }));
}
