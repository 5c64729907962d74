/** `drover gateway rotate`: has a gateway make a new key, and accepts only that key. */
import { defineCommand } from '../../program/define.ts';
import { change, YES } from '../machine/change.ts';
import { findGateway, GATEWAY_NAME } from './by-name.ts';

export const command = defineCommand({
  about: 'have a gateway replace its key when it next connects',
  example: 'drover gateway rotate desk-gateway --yes',
  args: GATEWAY_NAME,
  options: YES,
  async run(surroundings, { args: { name }, options: { yes } }) {
    const { terminal } = surroundings;
    await change(
      surroundings,
      { name, yes },
      {
        find: findGateway,
        question: (_, its) => `The gateway ${its} makes a new key and reconnects; it continues to serve its machines.`,
        make: (client) => client.machines.rotate.mutate({ name }),
        tell: ({ machine }, shown) => {
          const when = machine.state === 'connected' ? 'within a few seconds' : 'when it connects again';
          terminal.out(`${shown} makes a new key ${when}.`);
          terminal.err('If somebody else may have its present key, revoke the gateway instead: drover gateway revoke');
        },
      },
    );
  },
});
