/** `drover webhook enable`: resumes calls of a webhook that was switched off, by a person or because it accepted nothing. */
import { ask } from '../../client/client.ts';
import { answer } from '../../program/answer.ts';
import { defineCommand } from '../../program/define.ts';
import { required } from '../../program/spec.ts';

export const command = defineCommand({
  about: 'switch a webhook on again, for events from now on',
  example: 'drover webhook enable pager',
  args: { name: required('which webhook') },
  async run(surroundings, { args: { name } }) {
    const changed = await ask(surroundings, (client) => client.webhooks.edit.mutate({ name, enabled: true }));
    answer(
      surroundings,
      changed,
      (one) =>
        `The webhook "${one.name}" is switched on. Events that it missed: "drover webhook deliveries ${one.name}".`,
    );
  },
});
