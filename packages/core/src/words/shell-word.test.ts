import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { shellWord } from './shell-word.ts';

test.each(['/home/ada/shop', '../shop-drover', 'git@example.com:team/shop.git', 'allow-always'])(
  'given the plain text %j, when it is written into a command, then it stays as it is',
  (text) => expect(shellWord(text)).toBe(text),
);

test.each([
  "/home/ada/it's mine",
  '/a b',
  '~/shop',
  '$HOME',
  '`id`',
  'a;b',
  'a"b',
  '#1',
  '*',
  '',
  'é',
  'a\nb',
  '!x',
  '{a,b}',
  '=ls',
])('given the text %j, when a shell reads the command, then it gets the text unchanged as one word', (text) => {
  const { stdout } = spawnSync('sh', ['-c', `printf '%s,' ${shellWord(text)} end`], { encoding: 'utf8' });

  expect(stdout).toBe(`${text},end,`);
});
