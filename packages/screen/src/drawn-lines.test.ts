/** Checks which lines of a pane are drawn, and which are written. */
import { expect, test } from 'vitest';
import { isDrawn, withoutDrawn } from './drawn-lines.ts';

test.each([
  ['────────────', true],
  ['  ╭──────────╮  ', true],
  ['▀▀▀▀▄▄▄▄', true],
  ['│ Which port? │', false],
  ['---- a line of words ----', false],
  ['│', false],
  ['', false],
])('given the line "%s", when it is looked at, then drawn is %s', (line, isIt) => {
  expect(isDrawn(line)).toBe(isIt);
});

test('given a dialog between two rules, when the rules are left out, then its words stay in order', () => {
  expect(withoutDrawn('──────\nMay I?\n\nYes\n──────')).toBe('May I?\n\nYes');
});
