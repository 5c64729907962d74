// Checks that what grows is told apart from what swings, and from what has not lived long enough.
import { expect, test } from 'vitest';
import { growthOf, MEMORY, PIECES, type Limit, type Point } from './growth.ts';

/** A value every 10 s. */
function lifetime(minutes: number, value: (hours: number) => number): readonly Point[] {
  return Array.from({ length: minutes * 6 }, (_, index) => [index * 10_000, value(index / 360)] as const);
}

test.each<[string, readonly Point[], Limit, boolean | null]>([
  ['memory that swings', lifetime(60, (hours) => 80 + Math.sin(hours * 60) * 10), MEMORY, false],
  ['memory that grows by 60 MiB an hour', lifetime(60, (hours) => 80 + hours * 60), MEMORY, true],
  [
    'memory that grows while it begins',
    lifetime(60, (hours) => (hours < 0.15 ? 180 + hours * 600 : 252)),
    MEMORY,
    false,
  ],
  ['memory of 40 minutes', lifetime(40, (hours) => 80 + hours * 600), MEMORY, null],
  ['rows that stay', lifetime(60, () => 5), PIECES, false],
  ['a row more each minute', lifetime(60, (hours) => 5 + hours * 60), PIECES, true],
  ['rows of ten minutes', lifetime(10, (hours) => hours * 600), PIECES, null],
])('given %s, when its growth is judged, then that is said', (_, points, limit, leaks) => {
  expect(growthOf(points, limit).leaks).toBe(leaks);
});

test('given values that are beside a line for minutes, when its slope is computed, then its error is that of their means', () => {
  const beside = lifetime(60, (hours) => 80 + 60 * hours + (Math.floor(hours * 12) % 2 === 0 ? 1 : -1));

  const { perHour, error } = growthOf(beside, MEMORY);

  expect(Math.abs(perHour - 60)).toBeLessThan(error);
  expect(error).toBeCloseTo(1.45, 1);
});
