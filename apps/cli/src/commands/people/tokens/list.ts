/** `drover tokens`: who may do what. */
import { ask } from '../../../client/client.ts';
import { tokensText } from './text.ts';
import type { Surroundings } from '../../../surroundings.ts';

/** Runs the command. @throws {CommandError} */
export async function run(surroundings: Surroundings): Promise<void> {
  const { terminal, now } = surroundings;
  const tokens = await ask(surroundings, (client) => client.tokens.list.query());
  terminal.out(terminal.json ? JSON.stringify(tokens) : tokensText(tokens, { now: now(), terminal }));
}
