/** `drover why`: prints the observation, the rule that fired, and the next step. */
import { ask } from '../../client/client.ts';
import { answer } from '../../program/answer.ts';
import { defineCommand } from '../../program/define.ts';
import { count, required } from '../../program/spec.ts';
import { whyText } from './text.ts';

export const command = defineCommand({
  about: 'explain the state of a worker',
  more: 'It says what was seen, what was decided and what comes next.',
  example: 'drover why adam',
  args: { worker: required('its name') },
  options: { limit: count('count', 'decisions before the last one', { min: 1, max: 500, default: 20, short: 'n' }) },
  async run(surroundings, { args: { worker: name }, options: { limit } }) {
    const why = await ask(surroundings, (client) => client.workers.why.query({ name, limit }));
    answer(surroundings, why, whyText);
  },
});
