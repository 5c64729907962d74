/** `drover run why`: prints what happened to a run, and what followed. */
import { ask } from '../../client/client.ts';
import { answer } from '../../program/answer.ts';
import { defineCommand } from '../../program/define.ts';
import { count } from '../../program/spec.ts';
import { RUN_ID } from './one.ts';
import { runEventsText } from './text.ts';

export const command = defineCommand({
  about: 'explain a run: its events and what followed from each',
  example: 'drover run why 1a2b3c4d\ndrover run why 1a2b3c4d --after 40',
  args: RUN_ID,
  options: {
    after: count('number', 'only events after this one', { min: 0, max: 1_000_000, default: 0 }),
    limit: count('count', 'how many events', { min: 1, max: 500, default: 200, short: 'n' }),
  },
  async run(surroundings, { args: { run: id }, options: { after, limit } }) {
    const events = await ask(surroundings, (client) => client.runs.events.query({ id, after, limit }));
    answer(surroundings, events, runEventsText);
  },
});
