import { expect, test } from 'vitest';
import { median, percentile, table } from './table.ts';

test('given values in any order, when they are summed up, then the median and the 95th percentile are by rank', () => {
  const values = Array.from({ length: 100 }, (_, index) => 100 - index);

  expect(median(values)).toBe(50);
  expect(percentile(values, 0.95)).toBe(95);
  expect(percentile([], 0.95)).toBeNaN();
});

test('given rows, when they are printed, then columns stand under one another and numbers to the right', () => {
  const text = table(
    ['what', 'time'],
    [
      ['a long one', '1 ms'],
      ['b', '12.5 ms'],
    ],
  );

  expect(text.split('\n')).toEqual([
    'what           time',
    '----------  -------',
    'a long one     1 ms',
    'b           12.5 ms',
  ]);
});
