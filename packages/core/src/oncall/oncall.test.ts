import { expect, test } from 'vitest';
import { ackOncall, askOncallAnew, beginOncall, hurryOncall, noteUnreached, oncallAt, snoozeOncall } from './oncall.ts';
import type { Oncall, OncallMoment } from './oncall.ts';
import { DEFAULT_ONCALL } from './policy.ts';
import type { OncallPolicy } from './policy.ts';

const MINUTE = 60_000;
const BEGIN = Date.parse('2026-11-23T12:00:00Z');
const SHOWN = { isShown: true, isNextElsewhere: true, isAnywhere: true, hasPlaces: true } as const;
const OPEN = { status: 'open', severity: 'error', silencedUntil: null, reach: SHOWN } as const;
/** State in which no place shows the question, and the next step names others. */
const UNSHOWN = { ...OPEN, reach: { ...SHOWN, isShown: false, isAnywhere: false } } as const;
const ACKED = { ...OPEN, status: 'acked' } as const;
const STEPS = [
  { afterMs: 0, notify: ['slack:C012'] },
  { afterMs: 10 * MINUTE, notify: ['person:ada'] },
  { afterMs: 30 * MINUTE, notify: ['role:operator'] },
];

const policy = (changes: Partial<OncallPolicy> = {}): OncallPolicy => ({ ...DEFAULT_ONCALL, steps: STEPS, ...changes });

/** Plays each moment that is due, until none is. @returns minutes from the begin, and the acts. */
function played(begun: Oncall, asked: Parameters<typeof oncallAt>[1] = OPEN): readonly string[] {
  const done: string[] = [];
  let oncall = begun;
  let now = BEGIN;
  for (let round = 0; round < 100; round += 1) {
    const moment: OncallMoment = oncallAt(oncall, asked, now);
    for (const act of moment.acts) {
      const what = act.kind === 'call' ? act.notify.join() : act.kind === 'answer' ? act.answer : act.kind;
      done.push(`${(now - BEGIN) / MINUTE} ${what}`);
    }
    if (moment.acts.some(({ kind }) => kind !== 'call') || moment.dueAt === null) return done;
    ({ oncall } = moment);
    now = Math.max(now, moment.dueAt);
  }
  throw new Error(`it never ends: ${done.join(', ')}`);
}

test('given three steps and one repeat, when no person answers, then each step calls once a round, and it ends', () => {
  const begun = beginOncall(policy({ repeat: 1 }), BEGIN, 0);

  expect(played(begun)).toEqual([
    '0 slack:C012',
    '10 person:ada',
    '30 role:operator',
    '40 slack:C012',
    '50 person:ada',
    '70 role:operator',
  ]);
});

test('given two questions of one quiet night, when it ends, then their calls wait for each other; a call that nothing held back waits for none', () => {
  const quiet = { from: 11 * 60, to: 14 * 60, days: ['mon'], through: 'fatal' } as const;
  const end = BEGIN + 120 * MINUTE;
  const gathered = [BEGIN, BEGIN + 40 * MINUTE].map((askedAt) => {
    const held = oncallAt(beginOncall(policy({ quiet }), askedAt, 0), OPEN, askedAt);
    // The second question is looked at a little later.
    return oncallAt(held.oncall, OPEN, end + (askedAt === BEGIN ? 0 : 40)).acts;
  });

  const act = { kind: 'call', why: 'asked', notify: ['slack:C012'], gatherUntil: end + 3_000 };
  expect(gathered).toEqual([[act], [act]]);
  expect(oncallAt(beginOncall(policy(), BEGIN, 0), OPEN, BEGIN).acts[0]).not.toHaveProperty('gatherUntil');
});

test('given quiet hours, when a question is asked in them, then its first call comes when they end, and the steps are apart', () => {
  const quiet = { from: 11 * 60, to: 14 * 60, days: ['mon'], through: 'fatal' } as const;

  expect(played(beginOncall(policy({ quiet, repeat: 0 }), BEGIN, 0))).toEqual([
    '120 slack:C012',
    '130 person:ada',
    '150 role:operator',
  ]);
  expect(played(beginOncall(policy({ quiet, repeat: 0 }), BEGIN, 0), { ...OPEN, severity: 'fatal' })[0]).toBe(
    '0 slack:C012',
  );
});

test('given a silence, when a question is asked under it, then its first call comes when it ends', () => {
  const begun = beginOncall(policy({ repeat: 0 }), BEGIN, 0);

  expect(played(begun, { ...OPEN, silencedUntil: BEGIN + 5 * MINUTE })[0]).toBe('5 slack:C012');
});

test('X7: given a person who looks, when the next step was due, then only the reminder comes, and later the question is open again', () => {
  const begun = beginOncall(policy({ ackReminderMs: 30 * MINUTE }), BEGIN, 0);
  const acked = ackOncall(oncallAt(begun, OPEN, BEGIN).oncall, BEGIN);

  expect(played(acked, ACKED)).toEqual(['30 slack:C012', '40 reopen', '40 slack:C012']);
  expect(oncallAt(acked, { ...OPEN, status: 'over' }, BEGIN + 60 * MINUTE)).toMatchObject({ acts: [], dueAt: null });
});

test('given a reminder that quiet hours hold back, when they end, then it comes, and only then may the acknowledgement lapse', () => {
  const quiet = { from: 12 * 60, to: 16 * 60, days: ['mon'], through: 'fatal' } as const;
  const acked = ackOncall(beginOncall(policy({ quiet }), BEGIN, 0), BEGIN);

  expect(played(acked, ACKED)).toEqual(['240 slack:C012', '250 reopen', '250 slack:C012']);
});

test('given a snooze, when it ends, then the steps begin again', () => {
  const snoozed = snoozeOncall(beginOncall(policy({ repeat: 0 }), BEGIN, 0), BEGIN + 120 * MINUTE);

  expect(played(snoozed)).toEqual(['120 slack:C012', '130 person:ada', '150 role:operator']);
});

test('X9: given a default answer, when no person answers in time, then it is due once, also while it is snoozed or somebody looks', () => {
  const withDefault = policy({ repeat: 0, steps: [], timeout: { afterMs: 8 * 60 * MINUTE, answer: 'skip' } });
  const begun = beginOncall(withDefault, BEGIN, 0);

  expect(played(begun)).toEqual(['480 skip']);
  expect(played(snoozeOncall(begun, BEGIN + 600 * MINUTE))).toEqual(['480 skip']);
  const { oncall } = oncallAt(begun, OPEN, BEGIN + 480 * MINUTE);
  expect(oncallAt(oncall, OPEN, BEGIN + 900 * MINUTE)).toMatchObject({ acts: [], dueAt: null });
});

test('given "wait" as the default answer, when no person answers, then nothing is answered', () => {
  const timeout = { afterMs: MINUTE, answer: 'wait' } as const;

  expect(played(beginOncall(policy({ timeout, steps: [] }), BEGIN, 0))).toEqual([]);
});

test('given a question that others are called about, when all steps were done, then the first step calls again', () => {
  const first = oncallAt(beginOncall(policy({ repeat: 0 }), BEGIN, 0), OPEN, BEGIN).oncall;
  const hurried = hurryOncall(first, BEGIN);
  const done: Oncall = { ...hurried, step: 3, nextStepAt: null };

  expect(oncallAt(hurried, OPEN, BEGIN).acts).toMatchObject([{ notify: ['person:ada'] }]);
  expect(oncallAt(hurryOncall(done, BEGIN), OPEN, BEGIN).acts).toMatchObject([{ notify: ['slack:C012'] }]);
});

test('given a question that is asked anew, when the steps had begun a minute ago, then they begin again; sooner they do not', () => {
  const begun = oncallAt(beginOncall(policy(), BEGIN, 0), OPEN, BEGIN).oncall;

  expect(askOncallAnew(begun, BEGIN + MINUTE - 1)).toBe(begun);
  expect(played(askOncallAnew(begun, BEGIN + MINUTE))[0]).toBe('1 slack:C012');
});

test('given a question that somebody looks at, when it is asked anew, then they are reminded at once, and once', () => {
  const acked = ackOncall(beginOncall(policy(), BEGIN, 0), BEGIN);

  const anew = askOncallAnew(acked, BEGIN);
  const reminded = oncallAt(anew, ACKED, BEGIN);

  expect(reminded.acts).toMatchObject([{ kind: 'call', why: 'reminder' }]);
  expect(askOncallAnew(reminded.oncall, BEGIN + 1)).toBe(reminded.oncall);
});

test('X6: given calls that no place shows, when a minute is over, then the next step of the round comes, and after five minutes all are called, once', () => {
  expect(played(beginOncall(policy({ repeat: 1 }), BEGIN, 0), UNSHOWN)).toEqual([
    '0 slack:C012',
    '1 person:ada',
    '2 role:operator',
    '5 *',
    '12 slack:C012',
    '13 person:ada',
    '14 role:operator',
  ]);
});

test('X6: given a next step that names the same places, when a call is not shown, then it waits for its time', () => {
  const same = { ...UNSHOWN, reach: { ...UNSHOWN.reach, isNextElsewhere: false } } as const;

  expect(played(beginOncall(policy({ repeat: 0 }), BEGIN, 0), same)).toEqual([
    '0 slack:C012',
    '5 *',
    '10 person:ada',
    '30 role:operator',
  ]);
});

test('X6: given a place that refuses the card for good, when that is known, then the next step comes at once; shown, it does not', () => {
  const { oncall } = oncallAt(beginOncall(policy(), BEGIN, 0), OPEN, BEGIN);
  const refused = noteUnreached(oncall, BEGIN + 2_000);

  expect(oncallAt(oncall, UNSHOWN, BEGIN + 2_000).acts).toEqual([]);
  expect(oncallAt(refused, UNSHOWN, BEGIN + 2_000).acts).toMatchObject([{ why: 'step', notify: ['person:ada'] }]);
  expect(oncallAt(refused, OPEN, BEGIN + 2_000).acts).toEqual([]);
});

test('X6: given quiet hours, when nothing is shown and they begin, then next step and alarm come when they end', () => {
  const quiet = { from: 12 * 60 + 1, to: 14 * 60, days: ['mon'], through: 'fatal' } as const;

  expect(played(beginOncall(policy({ quiet, repeat: 0 }), BEGIN, 0), UNSHOWN).slice(0, 4)).toEqual([
    '0 slack:C012',
    '120 person:ada',
    '121 role:operator',
    '122 *',
  ]);
});

test('X6: given no place at all, or one that shows an earlier call, when five minutes are over, then there is no alarm', () => {
  const begun = beginOncall(policy({ repeat: 0, steps: STEPS.slice(0, 1) }), BEGIN, 0);
  const none = { ...UNSHOWN, reach: { ...UNSHOWN.reach, hasPlaces: false } } as const;
  const earlier = { ...UNSHOWN, reach: { ...UNSHOWN.reach, isAnywhere: true } } as const;

  expect(played(begun, none)).toEqual(['0 slack:C012']);
  expect(played(begun, earlier)).toEqual(['0 slack:C012']);
});

test('X7: given a call that is not shown, when somebody looks at the question or snoozes it, then neither step nor alarm comes', () => {
  const { oncall } = oncallAt(beginOncall(policy({ repeat: 0 }), BEGIN, 0), UNSHOWN, BEGIN);

  expect(played(ackOncall(oncall, BEGIN), { ...UNSHOWN, status: 'acked' })[0]).toBe('30 slack:C012');
  expect(played(snoozeOncall(oncall, BEGIN + 120 * MINUTE), UNSHOWN)[0]).toBe('120 slack:C012');
});
