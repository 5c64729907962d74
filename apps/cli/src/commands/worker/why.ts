/** `drover why`: prints the observation, the rule that fired, and the next step. */
import { ask } from '../../client/client.ts';
import { answer } from '../../program/answer.ts';
import { defineCommand } from '../../program/define.ts';
import { count, flag, required } from '../../program/spec.ts';
import { whyAllText, whyText } from './text.ts';

export const command = defineCommand({
  about: 'explain the state of a worker',
  more: 'It shows the last decision and the next step; --all also what Drover knows, earlier decisions and deliveries.',
  example: 'drover why adam\ndrover why adam --all -n 50',
  args: { worker: required('its name') },
  options: {
    all: flag('all that Drover knows, with earlier decisions and deliveries'),
    limit: count('count', 'number of earlier decisions that --all shows', {
      min: 1,
      max: 500,
      default: 20,
      short: 'n',
    }),
  },
  async run(surroundings, { args: { worker: name }, options: { all, limit } }) {
    const why = await ask(surroundings, (client) => client.workers.why.query({ name, limit }));
    answer(surroundings, why, all ? whyAllText : whyText);
  },
});
