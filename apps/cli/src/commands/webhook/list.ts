/** `drover webhook`: lists webhooks, and the state of each. */
import { ask } from '../../client/client.ts';
import { defineCommand } from '../../program/define.ts';
import { answerList } from '../../terminal/lists/listing.ts';
import { WEBHOOKS } from './text.ts';

/** `drover webhook` and `drover webhook list`. */
export const command = defineCommand({
  about: 'show webhooks and whether they work',
  example: 'drover webhook\ndrover webhook add pager https://example.com/hook --types escalation',
  isList: true,
  async run(surroundings) {
    answerList(surroundings, await ask(surroundings, (client) => client.webhooks.list.query()), WEBHOOKS);
  },
});
