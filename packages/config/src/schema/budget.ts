// Defines what tasks, workers, projects and days may spend.
import { z } from 'zod';
import { money, time, tokens, type Reader } from '../flow/values.ts';

/** A value in the words of a flow's budget. */
function amount(reader: Reader<number>) {
  return z
    .union([z.string(), z.number()])
    .superRefine((given, context) => {
      const read = reader(given);
      if (read.kind === 'expected') context.addIssue({ code: 'custom', message: `expected ${read.words}` });
    })
    .optional();
}

function limits(about: string) {
  return z
    .strictObject({ time: amount(time), tokens: amount(tokens), money: amount(money) })
    .optional()
    .meta({ words: 'table with time, tokens, money' })
    .describe(`${about} Unset: no limit.`);
}

/** `[budget]`. */
export const budget = z
  .strictObject({
    task: limits('Of one task outside of runs. A run has the budget of its flow.'),
    worker: limits('Of one worker, in the 14 days that the history keeps, runs included.'),
    project: limits('Of all workers of the project, in the 14 days that the history keeps, runs included.'),
    day: limits(
      'Of all workers of the project on one day, which begins at midnight in the time zone of `escalation.zone`, runs included.',
    ),
  })
  .prefault({})
  .describe(
    'Limits of what agents spend: `time` at work, `tokens` (input and output; cached input is free), `money` in US dollars where the program tells a cost. At 80 % an agent is told; at the end it is interrupted, has one turn to report, and a person is asked (docs/guides/runs.md).',
  );
