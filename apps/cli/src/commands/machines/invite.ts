/** `drover machines invite`: a single-use token for another machine. */
import { ask } from '../../client/client.ts';
import { count } from '../../program/options.ts';
import type { Surroundings } from '../../surroundings.ts';

/** Runs the command. @throws {CommandError} */
export async function run(
  surroundings: Surroundings,
  _args: readonly string[],
  options: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { terminal } = surroundings;
  const minutes = count(options, 'ttl', { min: 1, max: 1_440 }) ?? 10;
  const invitation = await ask(surroundings, (client) => client.machines.invite.mutate({ ttlMs: minutes * 60_000 }));
  if (terminal.json) {
    terminal.out(JSON.stringify(invitation));
    return;
  }
  terminal.err(
    `Good for ${minutes} minutes and one machine; shown only now. It holds who this fleet is: ${invitation.coordinator}`,
  );
  terminal.err('On the other machine:');
  // Through a pipe: every user of that machine can read the arguments of a process.
  terminal.out(`printf %s ${invitation.token} | drover agent --url COORDINATOR_URL --join -`);
}
