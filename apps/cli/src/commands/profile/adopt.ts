/** `drover profile adopt`: gives a staged profile to more machines, or to the whole fleet. */
import { ask } from '../../client/client.ts';
import { answer } from '../../program/answer.ts';
import { defineCommand } from '../../program/define.ts';
import { required, text } from '../../program/spec.ts';
import { stagedText } from '../../profiles/staged.ts';

export const command = defineCommand({
  about: 'give a staged profile to the whole fleet, or to machines with another label',
  example: 'drover profile adopt claude\ndrover profile adopt claude --label linux',
  args: { name: required('which profile') },
  options: { label: text('label', 'only machines with this label') },
  async run(surroundings, { args: { name }, options: { label } }) {
    answer(
      surroundings,
      await ask(surroundings, (client) => client.profiles.adopt.mutate({ name, label })),
      stagedText,
    );
  },
});
