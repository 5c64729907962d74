import fc from 'fast-check';
import { expect, test } from 'vitest';
import { writtenPath } from '../review/paths.ts';
import { parseFeedback } from './comments.ts';

const parse = (file: string) => parseFeedback(file, 'f.txt');

test('given comments, notes and text, when read, then each comment has its place, and all else is text', () => {
  const file = [
    '#: src/a.ts:1: +not sent',
    "Good work. At 12 o'clock: see http://example.org/x",
    'src/a.ts:12: rename this\r',
    '  because it says nothing',
    '',
    '  src/b.ts:3: and here is how it looks there',
    'src/a.ts:-7:4: error: keep this',
    '"odd\\n \\u202e:1:\\".ts":3: what is this name?',
    'a b.ts:9: blanks are fine',
    '--force:1: and dashes',
    '# Heading',
    ' src/c.ts:1: is no comment because of the blank',
  ].join('\n');

  expect(parse(file)).toEqual({
    text: "Good work. At 12 o'clock: see http://example.org/x\n# Heading\n src/c.ts:1: is no comment because of the blank",
    comments: [
      {
        path: 'src/a.ts',
        line: 12,
        side: 'after',
        text: 'rename this\nbecause it says nothing\n\nsrc/b.ts:3: and here is how it looks there',
      },
      { path: 'src/a.ts', line: 7, side: 'before', text: 'error: keep this' },
      { path: 'odd\n \u202e:1:".ts', line: 3, side: 'after', text: 'what is this name?' },
      { path: 'a b.ts', line: 9, side: 'after', text: 'blanks are fine' },
      { path: '--force', line: 1, side: 'after', text: 'and dashes' },
    ],
  });
});

test.each([
  ['fine\nsrc/a.ts:12:', 'f.txt:2: the comment on "src/a.ts:12:" is empty: expected "PATH:LINE: text"'],
  ['src/a.ts:12 words', 'f.txt:1: "src/a.ts:12 words" is not a comment: expected "PATH:LINE: text", or a blank before'],
  ['\n\nsrc/a.ts:0: words', 'f.txt:3: there is no line 0: the lines of a file are counted from 1'],
  ['a.ts:99999999999: words', 'f.txt:1: there is no line 99999999999'],
  ['"bad\\q":1: words', String.raw`f.txt:1: ""bad\q"" is not a path: write a quoted path as a JSON string`],
])('given the bad feedback %j, when read, then its line is named and what was expected', (file, says) => {
  expect(() => parse(file)).toThrow(says);
});

test('given any path, when it is written as a review shows it, then a comment on it is read back', () => {
  const path = fc.oneof(
    fc.string({ minLength: 1 }),
    fc.string({ minLength: 1, unit: fc.constantFrom(...'a:1 -"#\\\n./\u202e') }),
  );
  fc.assert(
    fc.property(path, fc.integer({ min: 1, max: 1_000_000 }), fc.boolean(), (name, line, isBefore) => {
      const { comments, text } = parse(`${writtenPath(name)}:${isBefore ? '-' : ''}${line}: words`);
      expect(comments).toEqual([{ path: name, line, side: isBefore ? 'before' : 'after', text: 'words' }]);
      expect(text).toBe('');
    }),
    { numRuns: 2_000 },
  );
});

test('given a line of a megabyte, when read, then it takes no time', () => {
  for (const part of ['.', ':1', 'a:', '"\\', ' ']) expect(parse(part.repeat(300_000)).comments).toEqual([]);
}, 10_000);
