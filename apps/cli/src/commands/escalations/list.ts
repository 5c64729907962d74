/** `drover escalations`: questions to people that wait for an answer. */
import { ask } from '../../client/client.ts';
import { count, flag, optional, text } from '../../program/options.ts';
import { escalationsText } from './text.ts';
import type { Surroundings } from '../../surroundings.ts';
import { workerByName } from '../workers/by-name.ts';

/** Runs the command. @throws {CommandError} */
export async function run(
  surroundings: Surroundings,
  _args: readonly string[],
  options: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { terminal, now } = surroundings;
  const all = flag(options, 'all');
  const limit = count(options, 'limit', { min: 1, max: 1_000 }) ?? 50;
  const worker = text(options, 'worker');
  const input = { all, limit, ...optional('worker', worker) };
  const escalations = await ask(surroundings, (client) => client.escalations.list.query(input));
  // Questions about one that was removed are still told.
  if (escalations.length === 0 && worker !== undefined) await workerByName(surroundings, worker);
  terminal.out(
    terminal.json ? JSON.stringify(escalations) : escalationsText(escalations, { now: now(), terminal, all }),
  );
}
