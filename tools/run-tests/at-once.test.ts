/** Checks how many tests of a file run at once, by the speed of the machine. */
import { expect, test } from 'vitest';
import { measureStart, testsAtOnce } from './at-once.ts';

test.each([
  ['at rest', 35, 5],
  ['at the limit', 80, 5],
  ['slow', 120, 2],
])(
  'given a machine that is %s, when tests are started, then fewer run at once the slower it is',
  (_what, startMs, atOnce) => {
    expect(testsAtOnce(startMs)).toBe(atOnce);
  },
);

test('given any machine, when its speed is measured, then a start took some time', () => {
  expect(measureStart()).toBeGreaterThan(1);
});
