import { expect, test } from 'vitest';
import { ago, cut, paint, plain, table } from './style.ts';

test('given text of an agent with control sequences, when it is printed, then none is left and it is one line', () => {
  const hostile = 'a\u001b[31mred\u001b[0m\u001b]0;title\u0007\nb\u202eevil\u0000';

  expect(plain(hostile)).toBe('ared bevil');
});

test('given no colours, when text is painted, then it stays as it is; else it is wrapped', () => {
  expect(paint('x', 'red', false)).toBe('x');
  expect(paint('x', 'red', true)).toBe('\u001b[31mx\u001b[39m');
});

test('given rows with colours and wide letters, when they stand in a table, then colours take no place', () => {
  const text = table(
    [
      ['adam', paint('idle', 'red', true), 'x'],
      ['b', 'needs_review', 'y'],
    ],
    80,
  );

  expect(text.split('\n').map((line) => plain(line))).toEqual(['adam  idle          x', 'b     needs_review  y']);
});

test('given a line wider than the terminal, when it is cut, then it fits and its colours are ended', () => {
  const line = `${paint('abcdef', 'red', true)}ghi`;

  expect(cut(line, 4)).toBe('\u001b[31mabc\u001b[39m…');
  expect(cut(line, 9)).toBe(line);
  expect(cut(line, Number.POSITIVE_INFINITY)).toBe(line);
});

test.each([
  [-5_000, '0s ago'],
  [59_000, '59s ago'],
  [61_000, '1m ago'],
  [7_200_000, '2h ago'],
  [200_000_000, '2d ago'],
])('given %i ms, when the age is told, then it has the largest unit that fits', (ms, text) => {
  expect(ago(ms)).toBe(text);
});
