/** `drover escalation ack`: tells the others that somebody works on it. */
import { ask } from '../../client/client.ts';
import { answer } from '../../program/answer.ts';
import { defineCommand } from '../../program/define.ts';
import { ESCALATION_ID } from './id.ts';

export const command = defineCommand({
  about: 'tell the others that you are working on it',
  example: 'drover escalation ack 3f9a1c2e',
  args: ESCALATION_ID,
  async run(surroundings, { args }) {
    const escalation = await ask(surroundings, (client) => client.escalations.ack.mutate(args));
    answer(
      surroundings,
      escalation,
      ({ shortId, ackedBy }) =>
        `${shortId} is acknowledged by ${ackedBy ?? 'somebody'} and waits for an answer: drover escalation show ${shortId}`,
    );
  },
});
