/** `drover machines invite`: a single-use token for another machine. */
import { ask } from '../../client/client.ts';
import { defineCommand } from '../../program/define.ts';
import { count } from '../../program/spec.ts';

/** `drover machines invite`. */
export const command = defineCommand({
  about: 'make a single-use token that lets another machine join, or a revoked one come back',
  example: 'drover machines invite --ttl 60',
  options: { ttl: count('minutes', 'how long it is valid', { min: 1, max: 1_440, default: 10 }) },
  async run(surroundings, { options: { ttl: minutes } }) {
    const { terminal } = surroundings;
    const invitation = await ask(surroundings, (client) => client.machines.invite.mutate({ ttlMs: minutes * 60_000 }));
    if (terminal.json) {
      terminal.out(JSON.stringify(invitation));
      return;
    }
    terminal.err(
      `Valid for ${minutes} minutes and one machine; shown only now. It names this fleet: ${invitation.coordinator}`,
    );
    terminal.err('On the other machine, then "drover machine service install":');
    // Through a pipe: every user of that machine can read the arguments of a process.
    terminal.out(`printf %s ${invitation.token} | drover machine join COORDINATOR_URL --token-file -`);
  },
});
