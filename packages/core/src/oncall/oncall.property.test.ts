/**
 * Proves, for any acts of people and any jumps of the clock: X5, an asking calls for a step once; X6, a question that waits has something to
 * come until all of its steps were done; X7, after an answer nothing is due.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ackOncall, askOncallAnew, beginOncall, hurryOncall, oncallAt, reopenOncall, snoozeOncall } from './oncall.ts';
import type { Oncall, Reach } from './oncall.ts';
import { ANEW_MIN_MS } from './policy.ts';
import type { OncallPolicy } from './policy.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

type Move =
  /** Passage of time until the next due moment, or a jump. */
  | { readonly kind: 'due' }
  | { readonly kind: 'jump'; readonly ms: number }
  | { readonly kind: 'ack' | 'escalate' | 'anew' | 'reopen' }
  | { readonly kind: 'snooze'; readonly ms: number }
  /** Change of the state that places show. */
  | { readonly kind: 'reach'; readonly reach: Reach };

/** Acts that count as a step of the plan. */
const STEPS: ReadonlySet<string> = new Set(['asked', 'step']);

const span = (max: number): fc.Arbitrary<number> => fc.integer({ min: 1, max });

const moves = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.constant({ kind: 'due' } as const) },
    fc.record({ kind: fc.constant('jump' as const), ms: fc.integer({ min: -2 * HOUR, max: 30 * HOUR }) }),
    fc.record({ kind: fc.constantFrom('ack', 'escalate', 'anew', 'reopen') }),
    fc.record({ kind: fc.constant('snooze' as const), ms: span(24 * HOUR) }),
    fc.record({
      kind: fc.constant('reach' as const),
      reach: fc.record({
        isShown: fc.boolean(),
        isNextElsewhere: fc.boolean(),
        isAnywhere: fc.boolean(),
        hasPlaces: fc.boolean(),
      }),
    }),
  ) as fc.Arbitrary<Move>,
  { maxLength: 40 },
);

const policies: fc.Arbitrary<OncallPolicy> = fc.record({
  zone: fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York'),
  quiet: fc.option(
    fc.record({
      from: fc.integer({ min: 0, max: 1_439 }),
      to: fc.integer({ min: 0, max: 1_439 }),
      days: fc.constantFrom(['mon', 'tue'] as const, ['sat', 'sun'] as const, ['fri'] as const),
      through: fc.constantFrom('error', 'fatal'),
    }),
  ),
  steps: fc
    .uniqueArray(fc.integer({ min: 0, max: 90 }), { minLength: 1, maxLength: 4 })
    .map((minutes) =>
      minutes
        .toSorted((one, other) => one - other)
        .map((minute, index) => ({ afterMs: minute * MINUTE, notify: [`s${index}`] })),
    ),
  repeat: fc.integer({ min: 0, max: 3 }),
  ackReminderMs: span(3 * HOUR),
  timeout: fc.option(fc.record({ afterMs: span(20 * HOUR), answer: fc.constantFrom('skip', 'no', 'wait') })),
  answerRole: fc.constant('responder'),
  severity: fc.constant({}),
});

test('X5, X6, X7: given any policy, whatever people do and however the clock jumps, then calls are counted, something is to come, and an answer ends all', () => {
  fc.assert(
    fc.property(policies, moves, fc.integer({ min: 1.75e12, max: 1.8e12 }), (policy, history, begin) => {
      let now = begin;
      let status: 'open' | 'acked' = 'open';
      let oncall: Oncall = beginOncall(policy, now, 0);
      let [calls, runs] = [0, 1];
      let alarms = 0;
      let reach: Reach = { isShown: false, isNextElsewhere: true, isAnywhere: false, hasPlaces: true };
      const asked = () => ({ status, severity: 'error', silencedUntil: null, reach }) as const;
      const wake = (): void => {
        const before = oncall;
        const moment = oncallAt(oncall, asked(), now);
        ({ oncall } = moment);
        calls += moment.acts.filter((act) => act.kind === 'call' && STEPS.has(act.why)).length;
        alarms += moment.acts.filter((act) => act.kind === 'call' && act.why === 'alarm').length;
        if (moment.acts.some(({ kind }) => kind === 'reopen')) {
          status = 'open';
          runs += 1;
        }
        if (before.snoozedUntil !== null && oncall.snoozedUntil === null) runs += 1;
        // A second call at the same moment does nothing more.
        const again = oncallAt(oncall, asked(), now);
        if (!moment.acts.some(({ kind }) => kind === 'answer')) expect(again.acts).toEqual([]);
        // X6
        const isDone = again.oncall.step >= policy.steps.length * (policy.repeat + 1);
        // A default answer comes first: an acknowledgement that lapses at the same moment lapses then.
        const isOpen = status === 'open' || again.acts.some(({ kind }) => kind === 'reopen');
        expect(again.dueAt !== null || (isDone && isOpen)).toBe(true);
        if (again.dueAt !== null) expect(again.dueAt).toBeGreaterThanOrEqual(now);
      };
      for (const move of history) {
        switch (move.kind) {
          case 'due':
            now = Math.max(now, oncallAt(oncall, asked(), now).dueAt ?? now);
            break;
          case 'jump':
            now += move.ms;
            break;
          case 'ack':
            if (status === 'open') oncall = ackOncall(oncall, now);
            status = 'acked';
            break;
          case 'escalate':
            // A run makes at most one call more than it has steps.
            runs += 1;
            oncall = hurryOncall(oncall, now);
            status = 'open';
            break;
          case 'anew':
            if (now - oncall.beganAt >= ANEW_MIN_MS || now < oncall.beganAt) runs += 1;
            oncall = askOncallAnew(oncall, now);
            break;
          case 'reopen':
            runs += 1;
            oncall = reopenOncall(oncall, now);
            status = 'open';
            break;
          case 'snooze':
            oncall = snoozeOncall(oncall, now + move.ms);
            status = 'open';
            break;
          case 'reach':
            reach = move.reach;
            break;
          default:
            move satisfies never;
        }
        wake();
        // X7
        expect(oncallAt(oncall, { ...asked(), status: 'over' }, now)).toMatchObject({ acts: [], dueAt: null });
      }
      // X5
      expect(calls).toBeLessThanOrEqual(runs * policy.steps.length * (policy.repeat + 1));
      expect(alarms).toBeLessThanOrEqual(runs);
    }),
    { numRuns: 500 },
  );
});
