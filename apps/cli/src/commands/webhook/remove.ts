/** `drover webhook remove`: removes a webhook; nothing is sent to it any more. */
import { ask } from '../../client/client.ts';
import { answer } from '../../program/answer.ts';
import { defineCommand } from '../../program/define.ts';
import { required } from '../../program/spec.ts';

export const command = defineCommand({
  about: 'remove a webhook with all its deliveries',
  example: 'drover webhook remove pager',
  args: { name: required('which webhook') },
  async run(surroundings, { args: { name } }) {
    const removed = await ask(surroundings, (client) => client.webhooks.remove.mutate({ name }));
    answer(surroundings, removed, (one) => `The webhook "${one.name}" is removed: Drover sends it nothing more.`);
  },
});
