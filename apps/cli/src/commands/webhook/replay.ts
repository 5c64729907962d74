/** `drover webhook replay`: sends a delivery again, with the same id. */
import { ask } from '../../client/client.ts';
import { answer } from '../../program/answer.ts';
import { defineCommand } from '../../program/define.ts';
import { required } from '../../program/spec.ts';

export const command = defineCommand({
  about: 'send a delivery again, with the same id',
  example: 'drover webhook replay pager 3f9a1c2e',
  args: { name: required('which webhook'), delivery: required('the id, or enough of its end') },
  async run(surroundings, { args: { name, delivery } }) {
    const told = await ask(surroundings, (client) => client.webhooks.replay.mutate({ name, delivery }));
    answer(
      surroundings,
      told,
      (one) => `Drover sends ${one.type} to "${name}" again: see "drover webhook deliveries ${name}".`,
    );
  },
});
