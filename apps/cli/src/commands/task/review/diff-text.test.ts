import { expect, test } from 'vitest';
import { adoptColours, renderText } from '../../../terminal/style.ts';
import { diffText } from './diff-text.ts';

const TERMINAL = { colours: false };

const DIFF = [
  'diff --git a/a\u202e.ts b/a\u202e.ts',
  '--- a/a\u202e.ts',
  '+++ b/a\u202e.ts',
  '@@ -1 +1 @@',
  '-old\r',
  '+new\u001b]52;c;eA==\u0007',
  'diff --git a/b.ts b/b.ts',
  '@@ -1 +1 @@',
  '+plain',
  '',
].join('\n');

test('given a diff, when it is shown, then a carriage return at the end is ^M and all else is marked', () => {
  expect(renderText(diffText(DIFF, TERMINAL)).split('\n')).toEqual([
    'diff --git a/a⟨U+202E⟩.ts b/a⟨U+202E⟩.ts',
    '--- a/a⟨U+202E⟩.ts',
    '+++ b/a⟨U+202E⟩.ts',
    '@@ -1 +1 @@',
    '-old^M',
    '+new⟨U+001B⟩]52;c;eA==⟨U+0007⟩',
    'diff --git a/b.ts b/b.ts',
    '@@ -1 +1 @@',
    '+plain',
    '',
  ]);
});

test('given colours, when a new line ends with blanks, then they are seen', () => {
  expect(renderText(diffText('+a \t\n+', { colours: true }))).toBe(
    '\u001b[32m+a\u001b[39m\u001b[7m \t\u001b[27m\n\u001b[32m+\u001b[39m',
  );
});

test('given the output of a tool, when it is adopted, then legible colours stay and what hides is marked', () => {
  const given =
    '\u001b[1;91mred\u001b[0m \u001b[8mhidden\u001b[m \u001b[30;40mblack\u001b[31;8m \u001b]52;c;eA==\u0007';

  expect(renderText(adoptColours(given, true))).toBe(
    '\u001b[1m\u001b[91mred\u001b[0m ⟨U+001B⟩[8mhidden\u001b[0m ⟨U+001B⟩[30;40mblack⟨U+001B⟩[31;8m ⟨U+001B⟩]52;c;eA==⟨U+0007⟩',
  );
  expect(renderText(adoptColours('\u001b[31mred\u001b[0m', false))).toBe('red');
});
