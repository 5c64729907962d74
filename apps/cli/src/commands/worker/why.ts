/** `drover why`: prints the observation, the rule that fired, and the next step. */
import { ask } from '../../client/client.ts';
import { answer } from '../../program/answer.ts';
import { defineCommand } from '../../program/define.ts';
import { count, required } from '../../program/spec.ts';
import { whyText } from './text.ts';

export const command = defineCommand({
  about: 'explain the state of a worker',
  more: 'It shows the last observation, the decision and the next step.',
  example: 'drover why adam',
  args: { worker: required('its name') },
  options: {
    limit: count('count', 'number of earlier decisions to show', { min: 1, max: 500, default: 20, short: 'n' }),
  },
  async run(surroundings, { args: { worker: name }, options: { limit } }) {
    const why = await ask(surroundings, (client) => client.workers.why.query({ name, limit }));
    answer(surroundings, why, whyText);
  },
});
