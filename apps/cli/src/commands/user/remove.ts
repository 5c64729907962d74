/** `drover user remove`: removes a person: their chats get no more questions, and may ask for nothing. */
import { ask } from '../../client/client.ts';
import { answer } from '../../program/answer.ts';
import { defineCommand } from '../../program/define.ts';
import { required } from '../../program/spec.ts';

export const command = defineCommand({
  about: 'remove a person, their chat accounts and their places',
  example: 'drover user remove ada',
  args: { name: required('whom') },
  async run(surroundings, { args: { name } }) {
    const removed = await ask(surroundings, (client) => client.people.remove.mutate({ name }));
    answer(surroundings, removed, (one) => `Removed ${one.name}. Bots no longer know them.`);
  },
});
