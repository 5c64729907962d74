import { expect, test } from 'vitest';
import fc from 'fast-check';
import { eastAsianWidth } from 'get-east-asian-width';
import { ago, cut, paint, plain, renderText, table, markHidden } from './style.ts';

test('given text of an agent with control sequences, when it is printed, then colours are dropped, the rest is marked, and it is one line', () => {
  const hostile = 'a\u001b[31mred\u001b[0m\u001b]0;title\u0007\nb\u202eevil\u0000';

  expect(plain(hostile)).toBe('ared⟨U+001B⟩]0;title⟨U+0007⟩ b⟨U+202E⟩evil⟨U+0000⟩');
});

test('given no colours, when text is painted, then it stays as it is; else it is wrapped', () => {
  expect(paint('x', 'red', false)).toBe('x');
  expect(renderText(paint('x', 'red', true))).toBe('\u001b[31mx\u001b[39m');
});

test('given rows with colours and wide letters, when they stand in a table, then colours take no place', () => {
  const text = table(
    [
      ['adam', paint('idle', 'red', true), 'x'],
      ['b', 'needs_review', 'y'],
    ],
    80,
  );

  expect(text.split('\n').map((line) => renderText(line))).toEqual([
    'adam  \u001b[31midle\u001b[39m          x',
    'b     needs_review  y',
  ]);
});

test('given a line wider than the terminal, when it is cut, then it fits and its colours are ended', () => {
  const line = `${paint('abcdef', 'red', true)}ghi`;

  expect(renderText(cut(line, 4))).toBe('\u001b[31mabc\u001b[39m…');
  expect(cut(line, 9)).toBe(line);
  expect(cut(line, Number.POSITIVE_INFINITY)).toBe(line);
});

test('given a cell with a line break, an override and colours from outside, when it stands in a table, then it is one cell', () => {
  expect(table([['a\nb', 'x\u202ey\u001b[31mz', '']], 80)).toBe('a b  x⟨U+202E⟩y⟨U+001B⟩[31mz');
});

test('given a line with hidden characters, when it is cut, then their marks count', () => {
  expect(cut('ab\u202ecd', 6)).toBe('ab⟨U+…');
});

const outside = fc.string({ unit: 'binary' });
const hostile = fc
  .array(
    fc.oneof(outside, fc.constantFrom('\u001b[31m', '\u001b[0m', '\u001b]52;c;eA==\u0007', '\u009b2J', '\r', '\u202e')),
  )
  .map((parts) => parts.join(''));

test('given any text from outside, when it passes the door, then it is text; and text stays as it is', () => {
  fc.assert(
    fc.property(hostile, (text) => {
      const when = renderText(text);

      // oxlint-disable-next-line no-control-regex -- controls are what must not be there
      expect(when).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
      expect(renderText(when)).toBe(when);
    }),
  );
});

test('given any text within a style, when it passes the door, then the only sequences are those of the style', () => {
  fc.assert(
    fc.property(hostile, hostile, (text, after) => {
      const styled = `${paint(text, 'red', true)}${after}`;

      expect(markHidden(markHidden(styled))).toBe(markHidden(styled));
      expect(renderText(styled)).toBe(`\u001b[31m${renderText(text)}\u001b[39m${renderText(after)}`);
    }),
  );
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

test.each(['·…—“éß', 'ÀÿÆ¿', 'ね·', 'a\u0301'])(
  'given %s, when it is cut, then its columns are those of its letters',
  (text) => {
    const letters = [...text.replaceAll(/\p{Mn}/gu, '')];
    const columns = letters.reduce((sum, letter) => sum + eastAsianWidth(letter.codePointAt(0) ?? 0), 0);

    expect(cut(text, columns)).toBe(text);
    expect(cut(text, columns - 1)).toBe(`${letters.slice(0, letters.length === 1 ? 0 : -2).join('')}…`);
  },
);
