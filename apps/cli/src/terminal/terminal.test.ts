import { expect, test } from 'vitest';
import { paint } from './style.ts';
import { frame } from './terminal.ts';

test('given lines, when they are drawn, then each ends by clearing its rest, and all below is cleared', () => {
  expect(frame(['a', 'b'])).toBe('\u001b[Ha\u001b[K\r\nb\u001b[K\u001b[J');
});

test('given a line with sequences from outside, when it is drawn, then they are shown and not carried out', () => {
  expect(frame([`${paint('a', 'green', true)}\u001b[2J\u202e`])).toBe(
    '\u001b[H\u001b[32ma\u001b[39m⟨U+001B⟩[2J⟨U+202E⟩\u001b[K\u001b[J',
  );
});
