import { expect, test } from 'vitest';
import * as box from './composer.ts';

const typed = (text: string): box.Composer => box.insertText(box.EMPTY_COMPOSER, text);
const shown = (composer: box.Composer): string => box.displayed(composer).text;
const asIs = (paste: box.CollapsedPaste): string => paste.text;

test.each([
  ['three lines', 'a\nb\nc', 'a\nb\nc'],
  ['four lines', 'a\nb\nc\nd', '[Pasted text #1 +3 lines]'],
  ['800 characters', 'x'.repeat(800), 'x'.repeat(800)],
  ['801 characters', 'x'.repeat(801), '[Pasted text #1]'],
])(
  'given a paste of %s, when it is put into the box, then it is shown as it should be and submitted whole',
  (_, text, expected) => {
    const composer = box.insertPaste(box.EMPTY_COMPOSER, text);

    expect(shown(composer)).toBe(expected);
    expect(box.submitted(composer, asIs)).toBe(text);
  },
);

test('given a collapsed paste in typed text, when backspace meets it, then it goes as a whole and the next is number 2', () => {
  const pasted = box.insertPaste(typed('before '), 'a\nb\nc\nd');

  const removed = box.backspace(pasted);

  expect(shown(removed)).toBe('before ');
  expect(shown(box.insertPaste(removed, 'a\nb\nc\nd'))).toBe('before [Pasted text #2 +3 lines]');
});

test('given three lines, when Ctrl-U is pressed four times, then lines and line breaks go one after the other', () => {
  const states = Array.from({ length: 4 }).reduce<string[]>(
    (seen) => {
      const next = box.killLine(typed(seen.at(-1) ?? ''));
      return [...seen, shown(next)];
    },
    ['one\ntwo\nthree'],
  );

  expect(states.slice(1)).toEqual(['one\ntwo\n', 'one\ntwo', 'one\n', 'one']);
});

test('given a cursor moved left over an emoji, when text is typed, then it lands before the whole emoji', () => {
  const composer = box.insertText(box.move(typed('a👍'), 'left'), 'x');

  expect(shown(composer)).toBe('ax👍');
  expect(box.displayed(composer).cursor).toBe(2);
});

test('given words, when Ctrl-W is pressed, then the last word goes', () => {
  expect(shown(box.killWord(typed('one two  ')))).toBe('one ');
});
