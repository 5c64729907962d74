import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { quoted } from './shell-words.ts';

test('given odd words, when a shell reads them quoted, then it reads exactly these words', () => {
  const words = [
    'plain/path-1.ts',
    '',
    "it's",
    '$(id)',
    '`id`',
    'a b',
    '"',
    '\\',
    "'",
    '-n',
    '*',
    '~',
    '!x',
    'line\nfeed',
    'ünï',
    '=x',
    ';',
    '&',
  ];

  const read = execFileSync('sh', ['-c', `printf '%s\\0' ${words.map(quoted).join(' ')}`], { encoding: 'utf8' });

  expect(read.split('\0').slice(0, -1)).toEqual(words);
});

test('given a plain word, when it is quoted, then a person reads it as it is', () => {
  expect(quoted('docs/guide-2.md')).toBe('docs/guide-2.md');
});
