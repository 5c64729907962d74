/** `drover machine rotate`: has a machine make a new key, and accepts only that key. */
import { defineCommand } from '../../program/define.ts';
import { findMachine } from './by-name.ts';
import { change, MACHINE_NAME, YES } from './change.ts';

export const command = defineCommand({
  about: 'have a machine replace its key when it next connects',
  example: 'drover machine rotate laptop --yes',
  args: MACHINE_NAME,
  options: YES,
  async run(surroundings, { args: { name }, options: { yes } }) {
    const { terminal } = surroundings;
    await change(
      surroundings,
      { name, yes },
      {
        find: findMachine,
        question: (_, its) => `${its} makes a new key and reconnects. Its sessions keep running.`,
        make: (client) => client.machines.rotate.mutate({ name }),
        tell: ({ machine }, shown) => {
          const when = machine.state === 'connected' ? 'within a few seconds' : 'when it connects again';
          terminal.out(
            `${shown} makes a new key ${when}. Until then "drover machine" shows that Drover waits for the new key.`,
          );
          terminal.err('If somebody else may have its present key, revoke the machine instead: drover machine revoke');
        },
      },
    );
  },
});
