/** `drover machines rotate`: has a machine make a new key, and accepts only that key. */
import { defineCommand } from '../../program/define.ts';
import { changeMachine, MACHINE_NAME, YES } from './change.ts';

export const command = defineCommand({
  about: 'have a machine make a new key and show it at its next hello',
  example: 'drover machines rotate laptop --yes',
  args: MACHINE_NAME,
  options: YES,
  async run(surroundings, { args: { name }, options: { yes } }) {
    const { terminal } = surroundings;
    await changeMachine(
      surroundings,
      { name, yes },
      {
        question: (_, its) => `${its} makes a new key; its connection ends and comes back. Its sessions go on.`,
        gatewayQuestion: (_, its) =>
          `The gateway ${its} makes a new key and says hello again; it goes on with its machines.`,
        make: (client) => client.machines.rotate.mutate({ name }),
        tell: ({ machine }, shown, isGateway) => {
          const when = machine.state === 'connected' ? 'within a few seconds' : 'when it says hello again';
          const until = isGateway ? '' : ' Until then "drover machines" shows that Drover waits for it.';
          terminal.out(`${shown} makes a new key ${when}.${until}`);
          terminal.err('If its present key may be in other hands, revoke the machine instead: drover machines revoke');
        },
      },
    );
  },
});
