import { describe, expect, test } from 'vitest';
import { headroomOf, isNearlySpent, joinQuotas, readsTheSame, tellQuota } from './quota.ts';
import type { Quota } from './quota.ts';

const HOUR = 3_600_000;
const MINUTE = 60_000;
const NOW = 100 * HOUR;

function quota(...windows: readonly (readonly [string, number, number | null])[]): Quota {
  return {
    windows: windows.map(([name, usedPercent, resetsAt]) => ({ name, usedPercent, resetsAt, at: NOW - 3 * MINUTE })),
  };
}

function told(usedPercent: number, resetsAt: number | null, at: number): Quota {
  return { windows: [{ name: '7 d', usedPercent, resetsAt, at }] };
}

describe('what is left', () => {
  test.each([
    ['the tightest limit counts', quota(['5 h', 42, NOW + HOUR], ['7 d', 90, NOW + 90 * HOUR]), 10, false],
    ['a limit that has reset since says nothing', quota(['5 h', 100, NOW], ['7 d', 17, NOW + HOUR]), 83, false],
    ['all limits have reset since', quota(['5 h', 100, NOW - 1]), null, false],
    ['nothing was told', null, null, false],
    ['no reset was told', quota(['spending', 96, null]), 4, true],
  ])('given that %s, when it is asked, then it is known or neutral', (_, given, left, isSpent) => {
    expect(headroomOf(given, NOW)).toBe(left);
    expect(isNearlySpent(given, NOW)).toBe(isSpent);
  });

  test('given two limits, when they are told, then each says its rest and its reset, with the age of the news', () => {
    expect(tellQuota(quota(['5 h', 42, NOW + 2 * HOUR], ['spending', 17.4, null]), NOW)).toBe(
      '58 % of the 5 h limit is left (resets in 2 h), 83 % of the spending limit is left, as of 3 min ago',
    );
  });

  test('given no news, or news that a reset has overtaken, when they are told, then the rest is unknown', () => {
    expect(tellQuota(null, NOW)).toBe('what is left is not known');
    expect(tellQuota(quota(['5 h', 42, NOW]), NOW)).toBe('what is left is not known');
  });
});

describe('two programs of one account', () => {
  test.each([
    // openai/codex#32129: 89 % left in one window, 99 % in another that had its last answer long before.
    ['the newer repeats an old answer', told(11, NOW + HOUR, NOW), told(1, NOW + HOUR, NOW + 60_000), 11],
    // openai/codex#38603: the reset slides with each answer.
    ['the reset has slid', told(11, NOW + HOUR, NOW), told(1, NOW + HOUR + 480_000, NOW + 60_000), 11],
    ['the newer is of the next span', told(99, NOW, NOW), told(2, NOW + 100 * HOUR, NOW + 60_000), 2],
    ['the newer is of the former span', told(2, NOW + 100 * HOUR, NOW), told(99, NOW, NOW + 60_000), 2],
    // openai/codex#42765: a reset that was bought takes use away before its time.
    ['the higher is old', told(99, NOW + HOUR, NOW), told(0, NOW + HOUR, NOW + HOUR / 2 + 1), 0],
  ])('given that %s, when both are joined in any order, then the right one counts', (_, one, other, used) => {
    for (const joined of [joinQuotas(one, other), joinQuotas(other, one)])
      expect(joined).toMatchObject({ windows: [{ usedPercent: used }] });
  });

  test('given nothing known, or limits that only one program tells, when they are joined, then the newest list counts', () => {
    const one = told(5, NOW + HOUR, NOW);

    expect(joinQuotas(null, one)).toEqual(one);
    const other = { windows: [{ name: '5 h', usedPercent: 3, resetsAt: NOW + HOUR, at: NOW + 1 }] };
    expect(joinQuotas(one, other)).toEqual(other);
  });

  test.each([
    ['a reset', NOW + 90 * HOUR, NOW + 90 * HOUR],
    ['no reset', null, null],
    ['a reset that is years ahead', NOW + 90_000 * HOUR, NOW + 90 * HOUR],
  ])(
    'given a high use with %s, when less is told every ten minutes, then it counts for half an hour',
    (_, high, low) => {
      let known = told(99, high, NOW);
      const used = [1, 2, 3, 4].map((tens) => {
        known = joinQuotas(known, told(tens, low, NOW + tens * 10 * MINUTE));
        return known.windows[0]?.usedPercent;
      });

      expect(used).toEqual([99, 99, 99, 4]);
    },
  );

  test('given a use that is kept from before, when it is told, then its age is that of the report that told it', () => {
    const joined = joinQuotas(told(99, NOW + HOUR, NOW - 20 * MINUTE), told(1, NOW + HOUR, NOW));

    expect(tellQuota(joined, NOW)).toBe('1 % of the 7 d limit is left (resets in 60 min), as of 20 min ago');
  });

  test.each([
    ['a tenth of a percent', told(42.1, NOW, NOW), true],
    ['a reset that slid by minutes', told(42, NOW + 9 * MINUTE, NOW), true],
    ['a percent', told(43, NOW, NOW), false],
    ['the next span', told(42, NOW + HOUR, NOW), false],
    ['another limit', quota(['5 h', 42, NOW]), false],
    ['a limit more', { windows: [...told(42, NOW, NOW).windows, ...quota(['5 h', 1, NOW]).windows] }, false],
  ])('given limits that differ by %s, when they are compared, then they read the same or not', (_, other, isSame) => {
    expect(readsTheSame(told(42, NOW, NOW), other)).toBe(isSame);
  });
});
