/** Checks that a prompt is found on a screen in any frame, and nothing else is taken for it. */
import { expect, test } from 'vitest';
import { standsInConversation } from './conversation.ts';

const SCREEN = ['› SLOW 6', '', '  ┃  SAY this was sent while', '  ┃  you were at work', '', '• Hello', '› '].join(
  '\n',
);

test('given a prompt that a frame wraps, when its words are looked for, then they are found', () => {
  expect(standsInConversation(SCREEN, 'SAY this was sent while you were at work\nand more below')).toBe(true);
});

test.each(['SAY this was never sent', '', '\n\n'])(
  'given the text "%s", when it is looked for, then it is not found',
  (text) => {
    expect(standsInConversation(SCREEN, text)).toBe(false);
  },
);
