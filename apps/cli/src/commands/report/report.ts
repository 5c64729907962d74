/** `drover report`: prints a summary of recovery and cost. */
import { ask } from '../../client/client.ts';
import { answer, defined } from '../../program/answer.ts';
import { defineCommand } from '../../program/define.ts';
import { optional, span } from '../../program/spec.ts';
import { orRun } from '../run/review.ts';
import { runReportText } from '../run/report-text.ts';
import type { Surroundings } from '../../surroundings.ts';
import { reportText } from './report-text.ts';

/** Milliseconds of a summary without `--since`: a day. */
const SINCE_MS = 24 * 3_600_000;

export const command = defineCommand({
  about: 'summarize what went wrong and what it cost',
  more: `It counts errors, recoveries and questions, and tells the cost by task, worker,
project and day: tokens (input and output), cached input, dollars, and time at
work. What a program does not tell is unknown. Days are counted whole.`,
  example: 'drover report\ndrover report adam --since 7d\ndrover report 1a2b3c4d',
  args: { worker: optional('only of this worker, or of this run') },
  options: { since: span('the period: 90s, 30m, 2h, 7d (default: 24h)') },
  async run(surroundings, { args, options: { since } }) {
    const input = { sinceMs: since ?? SINCE_MS, ...defined(args) };
    const ofWorkers = async (): Promise<void> =>
      answer(surroundings, await ask(surroundings, (client) => client.report.query(input)), reportText);
    await orRun(args.worker, ofWorkers, (id) => reportRun(surroundings, id));
  },
});

async function reportRun(surroundings: Surroundings, id: string): Promise<void> {
  const [run, messages] = await Promise.all([
    ask(surroundings, (client) => client.runs.show.query({ id })),
    ask(surroundings, (client) => client.runs.messages.query({ id })),
  ]);
  answer(surroundings, { run, messages }, runReportText);
}
