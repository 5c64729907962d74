/** `drover queue`: lists waiting work, most urgent first. */
import { ask } from '../../client/client.ts';
import { defineCommand } from '../../program/define.ts';
import { count, flag } from '../../program/spec.ts';
import { answerList } from '../../terminal/lists/listing.ts';
import { QUEUE } from './text.ts';

/** `drover queue` and `drover queue list`. */
export const command = defineCommand({
  about: 'show the tasks that wait for a worker',
  example: 'drover queue\ndrover queue add --priority S1 --prompt "Fix the flaky login test"',
  options: {
    all: flag('also finished and dropped items'),
    limit: count('count', 'how many items', { min: 1, max: 1_000, default: 50, short: 'n' }),
  },
  isList: true,
  async run(surroundings, { options }) {
    const items = await ask(surroundings, (client) => client.queue.list.query(options));
    answerList(surroundings, items, QUEUE);
  },
});
