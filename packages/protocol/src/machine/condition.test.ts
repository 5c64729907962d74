import { expect, test } from 'vitest';
import { clockOffsetText } from './condition.ts';

test.each([
  [0, 'about 0.0 s behind'],
  [3_400, 'about 3.4 s ahead'],
  [-119_900, 'about 119.9 s behind'],
  [-150_000, 'about 3 minutes behind'],
  [3 * 3_600_000, 'about 3 hours ahead'],
  [40 * 86_400_000, 'about 40 days ahead'],
  [-1_795_729_405_600, 'about 57 years behind'],
  [Number.MAX_SAFE_INTEGER, 'about 285421 years ahead'],
])('given a clock that is off by %i ms, when people are told, then it is "%s"', (offsetMs, words) => {
  expect(clockOffsetText(offsetMs)).toBe(words);
});
