/** Checks which account pays when another is at its limit. */
import { expect, test } from 'vitest';
import { nextAccount } from './next-account.ts';
import type { Payable } from './next-account.ts';

function accountOf(isLimited: boolean, isNearlySpent = false): Payable {
  return { kind: isLimited ? 'paused' : 'open', isNearlySpent };
}

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
    expect(nextAccount(names, present, (name) => accountOf(limited.includes(name)))).toBe(next);
  },
);

test.each([
  [['b'], 'c'],
  [['b', 'c'], 'b'],
])('given three accounts and a limit of the first, when %j are nearly spent, then "%s" is next', (spent, next) => {
  expect(nextAccount(['a', 'b', 'c'], 'a', (name) => accountOf(name === 'a', spent.includes(name)))).toBe(next);
});
