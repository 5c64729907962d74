/** `drover worker checkpoint`: the checkpoints of the work. */
import { ask } from '../../../client/client.ts';
import { defined } from '../../../program/answer.ts';
import { defineCommand } from '../../../program/define.ts';
import { count, optional } from '../../../program/spec.ts';
import { answerList } from '../../../terminal/lists/listing.ts';
import { CHECKPOINTS } from './text.ts';

export const command = defineCommand({
  about: 'show checkpoints, newest first',
  example: 'drover worker checkpoint\ndrover worker checkpoint adam\ndrover worker checkpoint show 3f9a1c2e',
  args: { worker: optional('only of this worker') },
  options: { limit: count('count', 'how many', { min: 1, max: 1_000, default: 50, short: 'n' }) },
  isList: true,
  async run(surroundings, { args, options }) {
    const input = { ...options, ...defined(args) };
    const checkpoints = await ask(surroundings, (client) => client.checkpoints.list.query(input));
    answerList(surroundings, checkpoints, CHECKPOINTS);
  },
});
