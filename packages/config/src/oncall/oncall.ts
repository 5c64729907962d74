// Turns `[escalation]` into the form in which it is stored and decided upon.
import { DEFAULT_ONCALL } from '@drover/core';
import type { OncallPolicy } from '@drover/core';
import { spanMs } from '../schema/escalation.ts';
import type { Config } from '../schema/schema.ts';

/** The policy of a checked configuration. */
export function oncallPolicy({ escalation }: Pick<Config, 'escalation'>): OncallPolicy {
  const { zone, quiet, steps, repeat, ack_reminder, timeout, answer_role, severity } = escalation;
  return {
    zone,
    quiet: quiet === undefined ? null : { ...quiet, from: minuteOf(quiet.from), to: minuteOf(quiet.to) },
    steps:
      steps === undefined
        ? DEFAULT_ONCALL.steps
        : steps.map(({ after, notify }) => ({ afterMs: spanMs(after), notify })),
    repeat,
    ackReminderMs: spanMs(ack_reminder),
    timeout: timeout === undefined ? null : { afterMs: spanMs(timeout.after), answer: timeout.answer },
    answerRole: answer_role,
    severity,
  };
}

function minuteOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
}
