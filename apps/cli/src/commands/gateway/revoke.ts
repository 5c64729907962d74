/** `drover gateway revoke`: refuses a gateway from now on. */
import { defineCommand } from '../../program/define.ts';
import { change, YES } from '../machine/change.ts';
import { findGateway, GATEWAY_NAME } from './by-name.ts';

export const command = defineCommand({
  about: 'refuse a gateway until it is invited again',
  example: 'drover gateway revoke desk-gateway',
  args: GATEWAY_NAME,
  options: YES,
  async run(surroundings, { args: { name }, options: { yes } }) {
    const { terminal } = surroundings;
    await change(
      surroundings,
      { name, yes },
      {
        find: findGateway,
        question: ({ machines }, its) =>
          `Drover refuses the gateway ${its} until it is invited again; ${machines.length} machine(s) that it serves wait for another gateway.`,
        make: (client) => client.machines.revoke.mutate({ name }),
        tell: (_, shown) => {
          terminal.out(
            `The gateway ${shown} is revoked. It no longer serves machines; another gateway may take them over.`,
          );
          terminal.err('To let it in again: drover machine invite --gateway, then start it with the new token.');
          terminal.err(`To remove it: drover gateway remove ${shown}`);
        },
      },
    );
  },
});
