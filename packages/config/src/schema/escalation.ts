// Defines who is asked about a question, and when.
import { DEFAULT_ONCALL, ERROR_CODES } from '@drover/core';
import { z } from 'zod';

const SPAN = /^(\d{1,6})([smhd])$/u;
const TIME = /^([01]\d|2[0-3]):[0-5]\d$/u;
const MINUTES: Readonly<Record<string, number>> = { s: 1 / 60, m: 1, h: 60, d: 1_440 };

/** Milliseconds of a checked span such as `10m`. */
export function spanMs(span: string): number {
  const [, digits, unit = 's'] = SPAN.exec(span) ?? [];
  return Number(digits) * (MINUTES[unit] ?? 0) * 60_000;
}

const span = z
  .string()
  // A text that is no span has no length.
  .regex(SPAN, { error: 'expected a span such as "30s", "10m", "8h" or "2d"', abort: true });
const time = z.string().regex(TIME, 'expected a time of day such as "22:00"');
const severity = z.enum(['info', 'warning', 'error', 'fatal']);
const day = z.enum(['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']);

/** Longer spans are a slip of the keyboard. */
const SPAN_MAX_MS = 30 * 86_400_000;

function between(least: string, most = '30d') {
  return span.refine((text) => spanMs(text) >= spanMs(least) && spanMs(text) <= Math.min(SPAN_MAX_MS, spanMs(most)), {
    error: `expected from ${least} to ${most}`,
  });
}

const target = z
  .string()
  .max(300)
  .regex(
    /^(\*|first|others|person:[a-zA-Z0-9][a-zA-Z0-9._@-]{0,62}|role:(viewer|responder|operator|admin)|(slack|telegram|discord|ntfy):\S+|email:[^\s@]+@[^\s@]+)$/u,
    'expected "*" (every place), "first" (the place that was linked first), "others", "person:NAME", "role:ROLE", "email:ADDRESS", or a place of a chat such as "slack:C012", "telegram:7", "discord:99" or "ntfy:TOPIC"',
  );

const step = z.strictObject({ after: between('0s'), notify: z.array(target).min(1).max(50) });

function isZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

const codes: ReadonlySet<string> = new Set(ERROR_CODES);

/** `[escalation]`. */
export const escalation = z
  .strictObject({
    zone: z
      .string()
      .refine(isZone, 'expected the name of a time zone such as "Europe/Berlin"')
      .default(DEFAULT_ONCALL.zone)
      .describe('Time zone of the quiet hours.'),
    quiet: z
      .strictObject({
        from: time,
        to: time,
        days: z.array(day).min(1).default(['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']),
        through: severity.default('fatal'),
      })
      .optional()
      .meta({ words: 'table with from, to, days, through' })
      .describe(
        'Hours without calls; when they end, Drover sends the questions that wait. `days` are those on which the hours begin; a severity from `through` on calls at once. Unset: none.',
      ),
    steps: z
      .array(step)
      .max(20)
      .refine(
        (steps) =>
          steps.every(({ after }, index) => index === 0 || spanMs(after) >= spanMs(steps[index - 1]?.after ?? '0s')),
        'expected the steps in the order of their times',
      )
      .optional()
      .meta({ words: 'list of tables with after and notify, of 1 to 50 targets' })
      .describe(
        'Calls, and how long after the question: `person:NAME`, `role:ROLE`, `email:ADDRESS`, a place of a chat such as `slack:C012`, `first` for the place linked first, `others` for the rest, `*` for every place. Unset: the first at once, the others after 10 minutes. An empty list: no calls.',
      ),
    repeat: z
      .int()
      .min(0)
      .max(100)
      .default(DEFAULT_ONCALL.repeat)
      .describe('More rounds of the steps while no person acknowledges or answers.'),
    ack_reminder: between('1m', '1d')
      .default('30m')
      .meta({ words: 'span such as "30m"' })
      .describe('Time from an acknowledgement to a reminder. 10 minutes later the question is open again.'),
    timeout: z
      .strictObject({ after: between('1m'), answer: z.enum(['skip', 'wait', 'no']) })
      .optional()
      .meta({ words: 'table with after and answer' })
      .describe(
        'Answer if no person gives one: `skip` ends the task, `no` chooses the one option that only says no, `wait` answers nothing. A question without such an option waits. Unset: no answer.',
      ),
    answer_role: z
      .enum(['responder', 'operator', 'admin'])
      .default(DEFAULT_ONCALL.answerRole)
      .describe('The least role whose answers count.'),
    severity: z
      .record(
        z.string().refine((code) => codes.has(code), {
          error: ({ input }) =>
            `escalation.severity: "${String(input)}" is not an error code such as AGENT_BLOCKED: "drover report errors" prints them`,
        }),
        severity,
      )
      .default({})
      .meta({ words: 'table of severities' })
      .describe('Other severities of single errors, such as `{ AGENT_BLOCKED = "warning" }`.'),
  })
  .prefault({})
  .describe('Calls to people when a worker needs one (docs/escalations.md).');
