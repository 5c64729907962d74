/** `drover machines revoke`: a machine is refused from now on. */
import { ask } from '../../client/client.ts';
import { confirm } from '../../terminal/confirm.ts';
import { findMachine, seatsOf } from './by-name.ts';
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
  const machine = await findMachine(surroundings, name);
  const shown = plain(name);
  const question = `${shown} is refused from now on, until it is invited again; ${seatsOf(machine)} cannot be reached there.`;
  await confirm(question, { yes: flag(options, 'yes'), terminal });
  const answer = await ask(surroundings, (client) => client.machines.revoke.mutate({ name }));
  if (terminal.json) {
    terminal.out(JSON.stringify(answer));
    return;
  }
  terminal.out(
    `${shown} is revoked. Its connections end within 5 s; its sessions go on there, and nothing is heard of them.`,
  );
  terminal.err(`To let it in again: drover machines invite, then start its agent with the new token.`);
  terminal.err(`To forget it: drover machines remove ${shown}${answer.workers.length > 0 ? ' --force' : ''}`);
}
