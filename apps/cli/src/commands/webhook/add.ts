/** `drover webhook add`: adds a program that is called about events; its secret is shown once. */
import { ask } from '../../client/client.ts';
import { defined } from '../../program/answer.ts';
import { defineCommand } from '../../program/define.ts';
import { choice, required, text } from '../../program/spec.ts';

export const command = defineCommand({
  about: 'add a webhook, which calls an address on events; its secret goes to stdout, once',
  example: 'drover webhook add pager https://example.com/hook --types escalation > secret',
  args: { name: required('a name for it'), url: required('the address, with https') },
  options: {
    types: text('types', 'only these events, such as escalation,worker.status (default: all)'),
    project: text('name', 'only events of this project (default: all)'),
    format: choice('format', 'the format; text is for the webhook of a chat', ['standard', 'text']),
  },
  async run(surroundings, { args: { name, url }, options: { types, project, format } }) {
    const { terminal } = surroundings;
    const wanted = types?.split(',').map((type) => type.trim());
    const input = { name, url, format, ...defined({ types: wanted, project }) };
    const { webhook, secret } = await ask(surroundings, (client) => client.webhooks.add.mutate(input));
    if (terminal.json) {
      terminal.out(JSON.stringify({ ...webhook, secret }));
      return;
    }
    terminal.err(`The webhook "${webhook.name}" is active: test it with "drover webhook test ${webhook.name}".`);
    terminal.err('The secret that signs its calls is shown only now:');
    terminal.out(secret);
  },
});
