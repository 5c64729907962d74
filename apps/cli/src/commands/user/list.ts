/** `drover user`: lists people with their roles, their accounts in chats, and their addresses. */
import { ask } from '../../client/client.ts';
import { defineCommand } from '../../program/define.ts';
import { answerList } from '../../terminal/lists/listing.ts';
import { PEOPLE } from './text.ts';

/** `drover user` and `drover user list`. */
export const command = defineCommand({
  about: 'show people, their chat accounts, and where Drover asks them',
  example: 'drover user\ndrover user link',
  isList: true,
  async run(surroundings) {
    answerList(surroundings, await ask(surroundings, (client) => client.people.list.query()), PEOPLE);
  },
});
