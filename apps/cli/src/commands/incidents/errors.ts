/** `drover errors`: the error log. */
import { ask } from '../../client/client.ts';
import { count, flag, optional, span, text } from '../../program/options.ts';
import { errorsText } from './errors-text.ts';
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
  const worker = text(options, 'worker');
  const input = {
    all,
    limit: count(options, 'limit', { min: 1, max: 1_000 }) ?? 50,
    ...optional('worker', worker),
    ...optional('code', text(options, 'code')),
    ...optional('sinceMs', span(options, 'since')),
  };
  const errors = await ask(surroundings, (client) => client.errors.query(input));
  // The errors of one that was removed are still told.
  if (errors.length === 0 && worker !== undefined) await workerByName(surroundings, worker);
  terminal.out(terminal.json ? JSON.stringify(errors) : errorsText(errors, { now: now(), terminal, all }));
}
