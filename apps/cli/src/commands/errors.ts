/** `drover errors`: the error log. */
import { ask } from '../client.ts';
import { count, flag, optional, span, text } from '../options.ts';
import { errorsText } from '../output/errors.ts';
import type { Surroundings } from '../surroundings.ts';

/** Runs the command. @throws {CommandError} */
export async function run(
  surroundings: Surroundings,
  _args: readonly string[],
  options: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { terminal, now } = surroundings;
  const all = flag(options, 'all');
  const input = {
    all,
    limit: count(options, 'limit', { min: 1, max: 1_000 }) ?? 50,
    ...optional('worker', text(options, 'worker')),
    ...optional('code', text(options, 'code')),
    ...optional('sinceMs', span(options, 'since')),
  };
  const errors = await ask(surroundings, (client) => client.errors.query(input));
  terminal.out(terminal.json ? JSON.stringify(errors) : errorsText(errors, { now: now(), terminal, all }));
}
