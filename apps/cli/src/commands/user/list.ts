/** `drover user`: lists people with their roles, their accounts in chats, and their addresses. */
import { ask } from '../../client/client.ts';
import { answer } from '../../program/answer.ts';
import { defineCommand } from '../../program/define.ts';
import { peopleText } from './text.ts';

/** `drover user` and `drover user list`. */
export const command = defineCommand({
  about: 'show people, their chat accounts, and where Drover asks them',
  example: 'drover user\ndrover user link',
  async run(surroundings) {
    answer(surroundings, await ask(surroundings, (client) => client.people.list.query()), peopleText);
  },
});
