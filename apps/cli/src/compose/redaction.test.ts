import { expect, test } from 'vitest';
import { secretsOfFile } from './redaction.ts';

test('given a file of secrets, when it is read, then values that are no plain words are secrets, whatever they are called', () => {
  const content = [
    '# comment',
    'export DB="with \\"quotes\\" inside"',
    "SINGLE='single quoted' # why",
    'PLAIN=abcdefg-1234 # why',
    'NODE_ENV=production',
    'PORT=3000-4000',
    'MY_TOKEN=production',
    'SHORT=abc1',
    'URL=postgres://me:pass%2Fword1@db/x',
    'one-secret-on-a-line',
    '-----BEGIN PRIVATE KEY-----',
    '',
  ].join('\r\n');

  const found = secretsOfFile(content, { file: '/f', names: [] });

  expect(found.map(({ name, value }) => `${name}: ${value}`)).toEqual([
    'DB: with "quotes" inside',
    'SINGLE: single quoted',
    'PLAIN: abcdefg-1234',
    'MY_TOKEN: production',
    'URL: postgres://me:pass%2Fword1@db/x',
    'the password in URL: pass%2Fword1',
    'the password in URL: pass/word1',
    '/f: one-secret-on-a-line',
  ]);
});
