/** `drover machines revoke`: refuses a machine from now on. */
import { defineCommand } from '../../program/define.ts';
import { workersOf } from './by-name.ts';
import { changeMachine, MACHINE_NAME, YES } from './change.ts';

export const command = defineCommand({
  about: 'refuse a machine from now on; only a new invitation lets it in again',
  example: 'drover machines revoke laptop\ndrover machines revoke laptop --yes',
  args: MACHINE_NAME,
  options: YES,
  async run(surroundings, { args: { name }, options: { yes } }) {
    const { terminal } = surroundings;
    await changeMachine(
      surroundings,
      { name, yes },
      {
        question: (machine, its) =>
          `${its} is refused from now on, until it is invited again; ${workersOf(machine)} cannot be reached there.`,
        gatewayQuestion: ({ machines }, its) =>
          `The gateway ${its} is refused from now on, until it is invited again; ${machines.length} machine(s) that it serves wait for another gateway.`,
        make: (client) => client.machines.revoke.mutate({ name }),
        tell: ({ workers }, shown, isGateway) => {
          if (isGateway) {
            terminal.out(
              `The gateway ${shown} is revoked. It serves no machine; another gateway may take those that it served.`,
            );
            terminal.err('To let it in again: drover machines invite --gateway, then start it with the new token.');
            terminal.err(`To forget it: drover machines remove ${shown}`);
            return;
          }
          terminal.out(
            `${shown} is revoked. Its connections end within 5 s. Its sessions go on there, but Drover hears nothing of them.`,
          );
          terminal.err(`To let it in again: drover machines invite, then start its agent with the new token.`);
          terminal.err(`To forget it: drover machines remove ${shown}${workers.length > 0 ? ' --force' : ''}`);
        },
      },
    );
  },
});
