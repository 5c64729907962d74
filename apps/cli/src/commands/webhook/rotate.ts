/** `drover webhook rotate`: makes a new secret; the previous secret signs too for a day. */
import { ask } from '../../client/client.ts';
import { defineCommand } from '../../program/define.ts';
import { required } from '../../program/spec.ts';

export const command = defineCommand({
  about: 'give a webhook a new secret; the previous one also signs for 24 hours',
  example: 'drover webhook rotate pager > secret',
  args: { name: required('which webhook') },
  async run(surroundings, { args: { name } }) {
    const { terminal } = surroundings;
    const { webhook, secret } = await ask(surroundings, (client) => client.webhooks.rotate.mutate({ name }));
    if (terminal.json) {
      terminal.out(JSON.stringify({ ...webhook, secret }));
      return;
    }
    terminal.err('Both secrets sign for 24 hours. Give the receiver the new one, which is shown only now:');
    terminal.out(secret);
  },
});
