/** `drover tokens`: lists tokens and their rights. */
import { ask } from '../../../client/client.ts';
import { answer } from '../../../program/answer.ts';
import { defineCommand } from '../../../program/define.ts';
import { tokensText } from './text.ts';

/** `drover tokens` and `drover tokens list`. */
export const command = defineCommand({
  about: 'show who has a token, with which role, and when it was last used',
  example: 'drover tokens\ndrover tokens create ann --role operator --expires 30d',
  listExample: 'drover tokens list --json',
  async run(surroundings) {
    answer(surroundings, await ask(surroundings, (client) => client.tokens.list.query()), tokensText);
  },
});
