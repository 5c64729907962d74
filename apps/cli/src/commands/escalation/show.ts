/** `drover escalation show`: prints everything that is known about one question. */
import { ask } from '../../client/client.ts';
import { answer } from '../../program/answer.ts';
import { defineCommand } from '../../program/define.ts';
import { ESCALATION_ID } from './id.ts';
import { escalationText } from './text.ts';

export const command = defineCommand({
  about: 'show a question with all details, and how to answer it',
  example: 'drover escalation show 3f9a1c2e',
  args: ESCALATION_ID,
  async run(surroundings, { args }) {
    const escalation = await ask(surroundings, (client) => client.escalations.show.query(args));
    answer(surroundings, escalation, escalationText);
  },
});
