/** `drover checkpoints`: what is kept of the work. */
import { ask } from '../../client/client.ts';
import { count, optional } from '../../program/options.ts';
import { checkpointsText } from './text.ts';
import type { Surroundings } from '../../surroundings.ts';

/** Runs the command. @throws {CommandError} */
export async function run(
  surroundings: Surroundings,
  [worker]: readonly string[],
  options: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { terminal, now } = surroundings;
  const limit = count(options, 'limit', { min: 1, max: 1_000 }) ?? 50;
  const input = { limit, ...optional('worker', worker) };
  const checkpoints = await ask(surroundings, (client) => client.checkpoints.list.query(input));
  terminal.out(terminal.json ? JSON.stringify(checkpoints) : checkpointsText(checkpoints, { now: now(), terminal }));
}
