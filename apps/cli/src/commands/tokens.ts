/** `drover tokens`: who may do what. */
import { ask } from '../client.ts';
import { tokensText } from '../output/tokens.ts';
import type { Surroundings } from '../surroundings.ts';

/** Runs the command. @throws {CommandError} */
export async function run(surroundings: Surroundings): Promise<void> {
  const { terminal, now } = surroundings;
  const tokens = await ask(surroundings, (client) => client.tokens.list.query());
  terminal.out(terminal.json ? JSON.stringify(tokens) : tokensText(tokens, { now: now(), terminal }));
}
