/** `drover escalation snooze`: holds calls about a question back for a while. */
import { ask } from '../../client/client.ts';
import { CommandError } from '../../exit-codes.ts';
import { answer } from '../../program/answer.ts';
import { defineCommand } from '../../program/define.ts';
import { span } from '../../program/spec.ts';
import { ESCALATION_ID } from './id.ts';
import { snoozedText } from './text.ts';

export const command = defineCommand({
  about: 'pause its notifications; you can still answer it',
  example: 'drover escalation snooze 3f9a1c2e --for 2h',
  args: ESCALATION_ID,
  options: { for: span('how long, up to 24h') },
  async run(surroundings, { args: { id }, options: { for: forMs } }) {
    if (forMs === undefined)
      throw new CommandError('usage', 'The duration is missing: give --for 30m, --for 2h, up to --for 24h');
    const input = { requestId: surroundings.uuid(), id, forMs };
    const escalation = await ask(surroundings, (client) => client.escalations.snooze.mutate(input));
    answer(surroundings, escalation, snoozedText);
  },
});
