/** `drover report`: prints a summary of recovery. */
import { ask } from '../../client/client.ts';
import { answer, defined } from '../../program/answer.ts';
import { defineCommand } from '../../program/define.ts';
import { optional, span } from '../../program/spec.ts';
import { reportText } from './report-text.ts';

/** Milliseconds of a summary without `--since`: a day. */
const SINCE_MS = 24 * 3_600_000;

export const command = defineCommand({
  about: 'summarize what went wrong and what it cost',
  more: `It counts errors, recoveries and questions. The cost in tokens is that of runs,
as far as their programs tell it: drover run show RUN.`,
  example: 'drover report\ndrover report adam --since 7d\ndrover run show 1a2b3c4d',
  args: { worker: optional('only of this worker') },
  options: { since: span('the period: 90s, 30m, 2h, 7d (default: 24h)') },
  async run(surroundings, { args, options: { since } }) {
    const input = { sinceMs: since ?? SINCE_MS, ...defined(args) };
    const report = await ask(surroundings, (client) => client.report.query(input));
    answer(surroundings, report, reportText);
  },
});
