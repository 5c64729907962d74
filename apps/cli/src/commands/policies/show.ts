/** `drover policy show`: which values of the recovery policy hold, and where each comes from. */
import { ask } from '../../client/client.ts';
import { optional, text } from '../../program/options.ts';
import { policyText } from './text.ts';
import type { Surroundings } from '../../surroundings.ts';

/** Runs the command. @throws {CommandError} */
export async function run(
  surroundings: Surroundings,
  _args: readonly string[],
  options: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { terminal } = surroundings;
  const worker = text(options, 'worker');
  const policy = await ask(surroundings, (client) => client.policy.show.query(optional('worker', worker)));
  if (terminal.json) {
    terminal.out(JSON.stringify(policy));
    return;
  }
  terminal.out(policyText(policy, worker, terminal.columns));
}
