/** Checks that a machine reports trouble that only a person can end, also after other failures. */
import { expect, test } from 'vitest';
import { SyncError } from './errors.ts';
import { Telling } from './telling.ts';

const AWAY = new SyncError('unreachable', 'nobody is there');
const OLD = new SyncError('version-refused', 'too old');
const REVOKED = new SyncError('machine-revoked', 'revoked');

/** Level of each of these failures in a row. */
function levels(errors: readonly unknown[]): readonly string[] {
  const telling = new Telling();
  return errors.map((error, index) => telling.levelFor(error, index + 1));
}

test.each([
  ['at first', 0],
  ['after a coordinator that restarted', 2],
  ['after one that was away for long', 37],
])(
  'given an agent that is refused %s, when it is told, then it is an error at once, and only now and then again',
  (_, before) => {
    const told = levels([
      ...Array.from({ length: before }, () => AWAY),
      ...Array.from({ length: 41 }, () => OLD),
    ]).slice(before);

    expect(told.flatMap((level, index) => (level === 'error' ? [index] : []))).toEqual([0, 20, 40]);
    expect(new Set(told)).toEqual(new Set(['error', 'debug']));
  },
);

test('given a machine that is refused for another reason, or was away between, when it is told, then that is an error, too', () => {
  expect(levels([OLD, OLD, REVOKED, AWAY, REVOKED])).toEqual(['error', 'debug', 'error', 'debug', 'error']);
});

test('given a coordinator that is away, when it is told, then twice, and then now and then', () => {
  const told = levels(Array.from({ length: 40 }, () => AWAY));

  expect(told.flatMap((level, index) => (level === 'warn' ? [index + 1] : []))).toEqual([1, 2, 20, 40]);
});
