/** `drover webhook deliveries`: lists deliveries of a webhook, and the result of each attempt. */
import { ask } from '../../client/client.ts';
import { defineCommand } from '../../program/define.ts';
import { count, required } from '../../program/spec.ts';
import { answerList } from '../../terminal/lists/listing.ts';
import { DELIVERIES } from './text.ts';

export const command = defineCommand({
  about: 'show the deliveries of a webhook, newest first, with the result of each attempt',
  example: 'drover webhook deliveries pager -n 10',
  args: { name: required('which webhook') },
  options: { limit: count('count', 'how many', { min: 1, max: 500, default: 20, short: 'n' }) },
  isList: true,
  async run(surroundings, { args: { name }, options: { limit } }) {
    const told = await ask(surroundings, (client) => client.webhooks.deliveries.query({ name, limit }));
    answerList(surroundings, told, DELIVERIES);
  },
});
