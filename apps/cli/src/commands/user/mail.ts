/** `drover user mail`: sets the address for a person's mail about questions. */
import { ask } from '../../client/client.ts';
import { CommandError } from '../../exit-codes.ts';
import { answer } from '../../program/answer.ts';
import { defineCommand } from '../../program/define.ts';
import { flag, optional, required } from '../../program/spec.ts';

export const command = defineCommand({
  about: 'send a person mail about questions; its links answer as that person',
  example: 'drover user mail ada ada@example.com\ndrover user mail ada --none',
  args: { name: required('the person'), address: optional('the address') },
  options: { none: flag('send that person no mail any more') },
  async run(surroundings, { args: { name, address }, options: { none } }) {
    if ((address === undefined) !== none)
      throw new CommandError('usage', 'Give the address, or --none: drover user mail ada ada@example.com');
    const set = await ask(surroundings, (client) => client.people.mail.mutate({ name, address: address ?? null }));
    answer(surroundings, set, (one) =>
      address === undefined
        ? `${one.name} no longer gets mail about questions`
        : `${one.name} gets mail about questions at ${address}. Next: drover oncall test`,
    );
  },
});
