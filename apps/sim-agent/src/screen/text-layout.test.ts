import { expect, test } from 'vitest';
import { fit, textWidth, wrap } from './text-layout.ts';

test.each([
  ['abc', 3],
  ['日本', 4],
  ['👍', 2],
  ['e\u0301', 1],
  ['❯\u00A0●', 3],
])('given %j, when it is measured, then it takes %i cells', (text, cells) => {
  expect(textWidth(text)).toBe(cells);
});

test('given any width, when text is wrapped, then no row is wider and the pieces make the text again', () => {
  const text = 'alpha beta 日本語日本語 gamma-delta-epsilon-zeta-eta  two  spaces end';

  for (let width = 2; width < 70; width += 1) {
    const rows = wrap(text, width);
    expect(rows.map((row) => row.text).join('')).toBe(text);
    for (const row of rows) {
      expect(textWidth(row.text.trimEnd())).toBeLessThanOrEqual(width);
      expect(text.startsWith(row.text, row.start)).toBe(true);
    }
  }
});

test('given lines, when they are wrapped, then each begins a row and knows its place', () => {
  expect(wrap('ab\n\ncd', 10)).toEqual([
    { text: 'ab', start: 0 },
    { text: '', start: 3 },
    { text: 'cd', start: 4 },
  ]);
});

test('given too long a text, when it is fitted, then it ends in an ellipsis within the width', () => {
  expect([fit('esc to interrupt', 10), fit('short', 10), fit('日本語', 5)]).toEqual(['esc to in…', 'short', '日本…']);
});
