import { expect, test } from 'vitest';
import { frame } from './screen.ts';

test('given a page that fits, when it is framed, then each line ends by clearing its rest, and all below is cleared', () => {
  expect(frame('a\nb', { columns: 10, rows: 5 })).toBe('\u001b[Ha\u001b[K\r\nb\u001b[K\u001b[J');
});

test('given a page higher than the terminal, when it is framed, then what is left out is counted', () => {
  const lines = frame('a\nb\nc\nd', { columns: 30, rows: 3 }).split('\r\n');

  expect(lines).toHaveLength(3);
  expect(lines[2]).toContain('… and 2 more lines');
});
