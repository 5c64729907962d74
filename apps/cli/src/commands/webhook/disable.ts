/** `drover webhook disable`: sends nothing to a webhook, which stays configured. */
import { ask } from '../../client/client.ts';
import { answer } from '../../program/answer.ts';
import { defineCommand } from '../../program/define.ts';
import { required } from '../../program/spec.ts';

export const command = defineCommand({
  about: 'switch a webhook off',
  example: 'drover webhook disable pager',
  args: { name: required('which webhook') },
  async run(surroundings, { args: { name } }) {
    const changed = await ask(surroundings, (client) => client.webhooks.edit.mutate({ name, enabled: false }));
    answer(
      surroundings,
      changed,
      (one) =>
        `The webhook "${one.name}" is switched off: nothing is sent to it until "drover webhook enable ${one.name}".`,
    );
  },
});
