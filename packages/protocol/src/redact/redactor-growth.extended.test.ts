/** Checks that texts of strangers are redacted in linear time. */
import { expect, test } from 'vitest';
import { timeGrowth } from '../testing/time-growth.ts';
import { Redactor } from './index.ts';

const SECRET = 'hunter2-canary/+x';
const redactor = new Redactor({ names: ['*_KEY', 'DB_PASS'], values: [SECRET, 'correct horse "battery" staple'] });

const long = (length: number): string => 'aB3dE5fG7h'.repeat(20).slice(0, length);

const base64 = (text: string): string => Buffer.from(text).toString('base64');

test.each([
  ['-----BEGIN PRIVATE KEY-----', ''],
  ['-----END PRIVATE KEY-----', ''],
  [`${long(20)}\n`, '-----END PRIVATE KEY-----'],
  ['"DB_PASS":"', ''],
  ['DB_PASS: ', ''],
  ['DB_PASS=', ''],
  ['DB_PASS=\\"', ''],
  ["DB_PASS='", ''],
  ['aws_secret_access_key=', ''],
  ['eyJaaaaaaaaaa.', ''],
  ['eyJ-', ''],
  ['eyJaaaaaaaaaa-', ''],
  ['\u001b[', ''],
  ['\u001b]', ''],
  ['\u200b', ' TOKEN=x'],
  ['\n \n', ''],
  ['\\', ' TOKEN=x'],
  ['\\"', ''],
  ['\\', ' MY_KEY: \\"a'],
  ['\\', ' TOKEN='.repeat(73)],
  ['MY_KEY=', '\\"'],
  ['MY_KEY', ''],
  ['MY_KEY', '=x'],
  [' ', 'MY_KEY=x'],
  ['x://', ''],
  ['A_', ''],
  ['Aa_', ' MY_KEY=x'],
  ['AAAAAAAAAAAAAAAAAAAA ', ''],
  ['   \u001b[0m', ''],
  [base64(`${SECRET}a`), ''],
  ['...', ''],
])(
  'given %j many times and then %j, when they are redacted, then the time grows with their length alone',
  (part, end) => {
    const growth = timeGrowth((length) => {
      const text = part.repeat(Math.ceil(length / part.length)) + end;
      return () => redactor.text(text);
    });

    expect(growth).toBeLessThan(3);
  },
);
