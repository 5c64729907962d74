/** `drover escalation escalate`: calls the people of the next step now. */
import { ask } from '../../client/client.ts';
import { answer } from '../../program/answer.ts';
import { defineCommand } from '../../program/define.ts';
import { ESCALATION_ID } from './id.ts';

export const command = defineCommand({
  about: 'notify the people of the next step now',
  example: 'drover escalation escalate 3f9a1c2e',
  args: ESCALATION_ID,
  async run(surroundings, { args: { id } }) {
    const input = { requestId: surroundings.uuid(), id };
    const escalation = await ask(surroundings, (client) => client.escalations.escalate.mutate(input));
    answer(
      surroundings,
      escalation,
      ({ shortId }) =>
        `${shortId} is open, and Drover notifies the people of the next step now: drover escalation show ${shortId}`,
    );
  },
});
