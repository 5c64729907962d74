/** `drover machines rotate`: a machine makes a new key, and is known by that alone. */
import { ask } from '../../client/client.ts';
import { confirm } from '../../terminal/confirm.ts';
import { findMachine } from './by-name.ts';
import { flag } from '../../program/options.ts';
import { plain } from '../../terminal/style.ts';
import type { Surroundings } from '../../surroundings.ts';

/** Runs the command. @throws {CommandError} */
export async function run(
  surroundings: Surroundings,
  [name = '']: readonly string[],
  options: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { terminal } = surroundings;
  await findMachine(surroundings, name);
  const shown = plain(name);
  const question = `${shown} makes a new key; its connection ends and comes back. Its sessions go on.`;
  await confirm(question, { yes: flag(options, 'yes'), terminal });
  const answer = await ask(surroundings, (client) => client.machines.rotate.mutate({ name }));
  if (terminal.json) {
    terminal.out(JSON.stringify(answer));
    return;
  }
  const when = answer.machine.state === 'connected' ? 'within a few seconds' : 'when it says hello again';
  terminal.out(`${shown} makes a new key ${when}. Until then "drover machines" says that it is waited for.`);
  terminal.err('If somebody else may have its present key, revoke it instead: drover machines revoke');
}
