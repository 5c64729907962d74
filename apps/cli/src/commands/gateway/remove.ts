/** `drover gateway remove`: forgets a gateway. */
import { defineCommand } from '../../program/define.ts';
import { flag } from '../../program/spec.ts';
import { change, YES } from '../machine/change.ts';
import { findGateway, GATEWAY_NAME } from './by-name.ts';

export const command = defineCommand({
  about: 'remove a gateway; its machines wait for another one',
  example: 'drover gateway remove desk-gateway --yes',
  args: GATEWAY_NAME,
  options: { force: flag('also if only it may serve some machines: then any gateway may'), ...YES },
  async run(surroundings, { args: { name }, options: { force, yes } }) {
    const { terminal } = surroundings;
    await change(
      surroundings,
      { name, yes },
      {
        find: findGateway,
        question: ({ machines }, its) =>
          `Drover removes the gateway ${its}; ${machines.length} machine(s) that it serves wait for another gateway.`,
        make: (client) => client.machines.remove.mutate({ name, force }),
        tell: (_, shown) => terminal.out(`The gateway ${shown} is removed.`),
      },
    );
  },
});
