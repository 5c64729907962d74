/** `drover audit`: who ordered what. */
import { ask } from '../../../client/client.ts';
import { count, optional, span, text } from '../../../program/options.ts';
import { auditText } from './text.ts';
import type { Surroundings } from '../../../surroundings.ts';

/** Runs the command. @throws {CommandError} */
export async function run(
  surroundings: Surroundings,
  _args: readonly string[],
  options: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { terminal } = surroundings;
  const input = {
    limit: count(options, 'limit', { min: 1, max: 10_000 }) ?? 100,
    ...optional('actor', text(options, 'actor')),
    ...optional('sinceMs', span(options, 'since')),
  };
  const rows = await ask(surroundings, (client) => client.audit.list.query(input));
  terminal.out(terminal.json ? JSON.stringify(rows) : auditText(rows, terminal));
}
