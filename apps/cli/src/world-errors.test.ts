import { expect, test } from 'vitest';
import { CommandError } from './exit-codes.ts';
import { explain } from './world-errors.ts';

const withCode = (code: string): Error => Object.assign(new Error(`${code}: it happened, open '/data/x'`), { code });

test.each([
  ['ENOSPC', /Make room on the disk/],
  ['EDQUOT', /Make room on the disk/],
  ['EROFS', /Set DROVER_DATA_DIR to a writable directory/],
  ['EACCES', /Run Drover as the user who owns it/],
  ['EMFILE', /ulimit -n/],
  ['ECONNREFUSED', /DATABASE_URL/],
])('given %s from the system, when it is explained, then it says what to do and is not a bug', (code, advice) => {
  expect(explain(withCode(code))).toEqual({
    code: 'environment',
    message: expect.stringMatching(new RegExp(`it happened, open '/data/x'\\. .*${advice.source}`)),
  });
});

test.each(['initdb: could not write: No space left on device', 'database or disk is full'])(
  'given "%s" somewhere below, when it is explained, then making room is the advice',
  (words) => {
    const error = new Error('Cannot open the journal', { cause: new Error(words) });

    expect(explain(error).message).toMatch(/^Cannot open the journal\. Make room/);
  },
);

test('given an error with words of its own, when it is explained, then they stay as they are', () => {
  expect(explain(new CommandError('not-found', 'There is none'))).toEqual({
    code: 'not-found',
    message: 'There is none',
  });
});

test('given an error that Drover did not expect, when it is explained, then it is a bug', () => {
  expect(explain(new TypeError('x is not a function'))).toEqual({ code: 'internal', message: 'x is not a function' });
  expect(explain('a string')).toMatchObject({ code: 'internal' });
});

test('given connections refused on several addresses, when it is explained, then each is named', () => {
  const both = new AggregateError([new Error('refused ::1'), new Error('refused 127.0.0.1')]);

  expect(explain(Object.assign(both, { code: 'ECONNREFUSED' })).message).toContain('refused ::1; refused 127.0.0.1');
});

test('given a coordinator that is not reached, when that is explained, then nobody is sent to a database, and the exit status says unreachable', () => {
  const cause = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  const error = Object.assign(
    new Error('Cannot reach the coordinator at "http://c": nothing listens there', { cause }),
    {
      name: 'SyncError',
      code: 'unreachable',
    },
  );

  const { code, message } = explain(error);

  expect(code).toBe('unreachable');
  expect(message).toContain('drover server coordinator');
  expect(message).not.toContain('DATABASE_URL');
});
