import { expect, test } from 'vitest';
import { backoffMs } from './backoff.ts';

test('given failures in a row, when the pause is chosen, then it doubles to its cap and jitter takes any part of it', () => {
  expect([1, 2, 3, 7, 50].map((failures) => backoffMs(failures, 1))).toEqual([250, 500, 1_000, 15_000, 15_000]);
  expect(backoffMs(3, 0)).toBe(0);
  expect(backoffMs(3, 0.5)).toBe(500);
});
