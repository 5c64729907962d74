/** `drover why`: what was seen, which rule fired, what comes next. */
import { ask } from '../../client/client.ts';
import { count } from '../../program/options.ts';
import { whyText } from './text.ts';
import type { Surroundings } from '../../surroundings.ts';

/** Runs the command. @throws {CommandError} */
export async function run(
  surroundings: Surroundings,
  [name = '']: readonly string[],
  options: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { terminal, now } = surroundings;
  const limit = count(options, 'limit', { min: 1, max: 500 }) ?? 12;
  const why = await ask(surroundings, (client) => client.workers.why.query({ name, limit }));
  terminal.out(terminal.json ? JSON.stringify(why) : whyText(why, { now: now(), terminal }));
}
