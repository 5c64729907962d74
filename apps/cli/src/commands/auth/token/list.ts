/** `drover auth token`: lists tokens and their rights. */
import { ask } from '../../../client/client.ts';
import { defineCommand } from '../../../program/define.ts';
import { answerList } from '../../../terminal/lists/listing.ts';
import { TOKENS } from './text.ts';

/** `drover auth token` and `drover auth token list`. */
export const command = defineCommand({
  about: 'show tokens with their owner, role and last use',
  example: 'drover auth token\ndrover auth token create ann --role operator --expires 30d',
  isList: true,
  async run(surroundings) {
    answerList(surroundings, await ask(surroundings, (client) => client.tokens.list.query()), TOKENS);
  },
});
