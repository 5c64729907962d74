/** Checks the report of a failure to the coordinator. */
import { expect, test } from 'vitest';
import { failedFrom, CommandError } from './failure.ts';

function thrown(code: string): Error {
  return Object.assign(new Error('it failed'), { code });
}

test.each([
  ['ENOSPC', true, /free some space/u],
  ['EMFILE', true, /ulimit -n/u],
  ['EROFS', false, /mount it for writing/u],
  ['EACCES', false, /who owns these files/u],
])(
  'given the error %s of the operating system, when it is told, then by its own name, with what helps',
  (code, retry, advice) => {
    expect(failedFrom(thrown(code))).toEqual({
      kind: 'failed',
      code,
      message: expect.stringMatching(advice) as string,
      retry,
    });
  },
);

test.each([
  ['locked', true],
  ['unreachable', true],
  ['connection-lost', true],
  ['no-permission', false],
  ['constructor', false],
])('given the error "%s" of a room below, when it is told, then in its own words', (code, retry) => {
  expect(failedFrom(thrown(code))).toEqual({ kind: 'failed', code, message: 'it failed', retry });
});

test('given what a command itself says, and what is no error at all, when they are told, then so it is', () => {
  const said = new CommandError('session-name-taken', 'somebody has it', { retry: true });

  expect(failedFrom(said)).toEqual({
    kind: 'failed',
    code: 'session-name-taken',
    message: 'somebody has it',
    retry: true,
  });
  expect(failedFrom('oh')).toEqual({ kind: 'failed', code: 'internal', message: 'oh', retry: false });
});
