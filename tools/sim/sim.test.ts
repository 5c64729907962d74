// Checks that the promises are kept in some hundred schedules, and that a broken one would be seen. `npm run sim` runs as many as you like.
import { expect, test } from 'vitest';
import { coverage, knownRules, neverHappened } from './runs/coverage.ts';
import { runSchedule } from './schedule.ts';
import { addAll } from './runs/tally.ts';
import type { Counts } from './runs/tally.ts';

/** Sixty seeds in which also what is rare happens: another number of statements in a transaction is another schedule. */
const [FIRST, LAST] = [408, 467];
/** Milliseconds for all of them on a machine that does much else. */
const WITHIN_MS = 1_200_000;

test(
  'given some hundred schedules of faults, when the faults end, then every promise was kept and the heart of the policy was reached',
  async () => {
    const rules: Counts = new Map();
    const faults: Counts = new Map();
    const broken: string[] = [];

    for (let seed = FIRST; seed <= LAST; seed += 1) {
      const { violation, rules: reached, faults: met } = await runSchedule(seed, { keepLines: false });
      if (violation !== null) broken.push(`npm run sim -- --trace ${seed}   # ${violation}`);
      addAll(rules, reached);
      addAll(faults, met);
    }

    expect(broken).toEqual([]);
    expect(neverHappened(faults)).toEqual([]);
    const reached = new Set(coverage(rules).flatMap(({ rule, times }) => (times > 0 ? [rule] : [])));
    expect([...HEART].filter((rule) => !reached.has(rule))).toEqual([]);
  },
  WITHIN_MS,
);

test('given a seed, when its schedule runs twice, then both are the same to the last line', async () => {
  const seed = 7;

  const [one, other] = [await runSchedule(seed, { keepLines: true }), await runSchedule(seed, { keepLines: true })];

  expect(one.timeline.length).toBeGreaterThan(50);
  expect(other.timeline).toEqual(one.timeline);
});

test('given the rules of the policy, when they are listed, then those that every simulation must reach are among them', () => {
  expect(knownRules()).toEqual(expect.arrayContaining([...HEART]));
});

/** Rules that some hundred schedules must reach; a simulation that does not is not looking. */
const HEART: ReadonlySet<string> = new Set([
  'accept:merged',
  'accept:done',
  'commit-found',
  'conflict',
  'delivery-unknown',
  'exit:crash',
  'exit:user',
  'lost:rung-*',
  'nudge',
  'restore',
  'session-gone',
  'stale:*',
  'verified:taken',
]);
