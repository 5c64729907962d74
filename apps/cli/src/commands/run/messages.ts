/** `drover run messages`: prints the messages between the agents of a run. */
import { ask } from '../../client/client.ts';
import { answer } from '../../program/answer.ts';
import { defineCommand } from '../../program/define.ts';
import { RUN_ID } from './one.ts';
import { runMessagesText } from './text.ts';

export const command = defineCommand({
  about: 'show the messages between the agents of a run',
  example: 'drover run messages 1a2b3c4d',
  args: RUN_ID,
  async run(surroundings, { args: { run: id } }) {
    const messages = await ask(surroundings, (client) => client.runs.messages.query({ id }));
    answer(surroundings, messages, runMessagesText);
  },
});
