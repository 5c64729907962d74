/** Checks which account pays when another is at its limit. */
import { expect, test } from 'vitest';
import { nextAccount } from './next-account.ts';

test.each([
  [['a', 'b', 'c'], 'a', ['a'], 'b'],
  [['a', 'b', 'c'], 'a', ['a', 'b'], 'c'],
  [['a', 'b', 'c'], 'c', ['c'], 'a'],
  [['a', 'b', 'c'], 'b', ['b', 'c'], 'a'],
  [['a', 'b'], 'a', ['a', 'b'], undefined],
  [['a'], 'a', ['a'], undefined],
  [['a', 'b'], 'gone', [], 'a'],
  [[], 'a', ['a'], undefined],
])(
  'given the accounts %j and "%s" that pays, when %j are at their limits, then "%s" is next',
  (names, present, limited, next) => {
    expect(nextAccount(names, present, (name) => (limited.includes(name) ? 'paused' : 'open'))).toBe(next);
  },
);
