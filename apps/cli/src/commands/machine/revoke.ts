/** `drover machine revoke`: refuses a machine from now on. */
import { defineCommand } from '../../program/define.ts';
import { findMachine, workersOf } from './by-name.ts';
import { change, MACHINE_NAME, YES } from './change.ts';

export const command = defineCommand({
  about: 'refuse a machine until it is invited again',
  example: 'drover machine revoke laptop\ndrover machine revoke laptop --yes',
  args: MACHINE_NAME,
  options: YES,
  async run(surroundings, { args: { name }, options: { yes } }) {
    const { terminal } = surroundings;
    await change(
      surroundings,
      { name, yes },
      {
        find: findMachine,
        question: (machine, its) =>
          `Drover refuses ${its} until it is invited again; ${workersOf(machine)} cannot be reached there.`,
        make: (client) => client.machines.revoke.mutate({ name }),
        tell: ({ workers }, shown) => {
          terminal.out(
            `${shown} is revoked. Its connections end within 5 s. Its sessions keep running, but Drover cannot see them.`,
          );
          terminal.err(`To let it in again: drover machine invite, then start its agent with the new token.`);
          terminal.err(`To remove it: drover machine remove ${shown}${workers.length > 0 ? ' --force' : ''}`);
        },
      },
    );
  },
});
