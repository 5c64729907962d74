/** `drover report errors`: the error log. */
import { ask } from '../../client/client.ts';
import { defined } from '../../program/answer.ts';
import { defineCommand } from '../../program/define.ts';
import { count, flag, span, text } from '../../program/spec.ts';
import { workerByName } from '../worker/by-name.ts';
import { answerList } from '../../terminal/lists/listing.ts';
import { errorList } from './errors-text.ts';

export const command = defineCommand({
  about: 'show open errors',
  example: 'drover report errors --since 2h\ndrover report errors --all --worker adam --code AGENT_CRASHED',
  options: {
    worker: text('name', 'only of this worker'),
    code: text('code', 'of this code only'),
    since: span('not older than that: 90s, 30m, 2h, 7d'),
    all: flag('also errors that recovered, were called off or taken over'),
    limit: count('count', 'how many', { min: 1, max: 1_000, default: 50, short: 'n' }),
  },
  isList: true,
  async run(surroundings, { options: { worker, code, since, all, limit } }) {
    const input = { all, limit, ...defined({ worker, code, sinceMs: since }) };
    const errors = await ask(surroundings, (client) => client.errors.query(input));
    // A removed worker may have errors; a name without any must be one that exists.
    if (errors.length === 0 && worker !== undefined) await workerByName(surroundings, worker);
    answerList(surroundings, errors, errorList({ all }));
  },
});
