import { expect, test } from 'vitest';
import { useOf } from '../../../run/allowance.ts';

const NOTHING = { timeMs: 0, tokens: null, money: null };

test.each([
  [{ timeMs: 20_000, tokens: null, money: null }, { ...NOTHING, timeMs: 22_000 }, '22 s of 20 s at work'],
  [{ timeMs: 3_600_000, tokens: null, money: null }, { ...NOTHING, timeMs: 5_400_000 }, '90 min of 60 min at work'],
  [
    { timeMs: 3_600_000, tokens: 1_000, money: null },
    { timeMs: 60_000, tokens: 900, money: null },
    '900 of 1000 tokens',
  ],
  [{ timeMs: null, tokens: 1_000, money: 20 }, { timeMs: 0, tokens: 100, money: 19.5 }, '$19.50 of $20.00'],
])('given the budget %j, when %j is spent, then people read "%s"', (budget, spent, words) => {
  expect(useOf('task', budget, { cached: null, ...spent }).words).toBe(words);
});
