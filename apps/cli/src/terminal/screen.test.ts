import { expect, test } from 'vitest';
import { fitLines } from './screen.ts';

test('given a page that fits, when it is drawn, then all its lines are', () => {
  expect(fitLines('a\nb', { columns: 10, rows: 5 })).toEqual(['a', 'b']);
});

test('given a page higher than the terminal, when it is drawn, then what is left out is counted', () => {
  expect(fitLines('a\nb\nc\nd', { columns: 30, rows: 3 })).toEqual(['a', 'b', '… and 2 more lines']);
});
