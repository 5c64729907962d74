/** `drover escalation`: lists questions to people that wait for an answer. */
import { ask } from '../../client/client.ts';
import { defined } from '../../program/answer.ts';
import { defineCommand } from '../../program/define.ts';
import { count, flag, text } from '../../program/spec.ts';
import { workerByName } from '../worker/by-name.ts';
import { answerList } from '../../terminal/lists/listing.ts';
import { escalationList } from './text.ts';

/** `drover escalation` and `drover escalation list`. */
export const command = defineCommand({
  about: 'show questions that wait for your answer',
  example: 'drover escalation\ndrover escalation show 3f9a1c2e',
  options: {
    worker: text('name', 'only about this worker'),
    all: flag('also answered questions'),
    limit: count('count', 'how many', { min: 1, max: 1_000, default: 50, short: 'n' }),
  },
  isList: true,
  async run(surroundings, { options: { worker, all, limit } }) {
    const input = { all, limit, ...defined({ worker }) };
    const escalations = await ask(surroundings, (client) => client.escalations.list.query(input));
    // A removed worker may have questions; a name without any must be one that exists.
    if (escalations.length === 0 && worker !== undefined) await workerByName(surroundings, worker);
    answerList(surroundings, escalations, escalationList({ all }));
  },
});
