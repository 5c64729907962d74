/** Checks when a version that no trial has seen is proven. */
import { expect, test } from 'vitest';
import { DEFAULT_POLICY } from '../policy/policy.ts';
import { unproven, type Compared } from './canary.ts';

const POLICY = { canary: { turns: 10 } };

test.each<[string, readonly Compared[], Compared | null]>([
  ['no machine', [], null],
  ['one that is new', [{ turns: 0, disagreements: 0 }], { turns: 0, disagreements: 0 }],
  ['one with a turn too few', [{ turns: 9, disagreements: 0 }], { turns: 9, disagreements: 0 }],
  ['one with enough turns', [{ turns: 10, disagreements: 0 }], null],
  ['two with enough turns together', [6, 4].map((turns) => ({ turns, disagreements: 0 })), null],
  [
    'one that agrees and one that disagreed',
    [
      { turns: 50, disagreements: 0 },
      { turns: 9, disagreements: 1 },
    ],
    { turns: 59, disagreements: 1 },
  ],
  ['one that disagreed long ago', [{ turns: 10, disagreements: 3 }], null],
])('given %s with a version, when it is judged, then it is proven only by enough turns', (_, machines, expected) => {
  expect(unproven(machines, POLICY)).toEqual(expected);
});

test('given a policy of no turns, when a new version is judged, then it is proven at once', () => {
  expect(unproven([{ turns: 0, disagreements: 2 }], { canary: { turns: 0 } })).toBeNull();
  expect(DEFAULT_POLICY.canary.turns).toBeGreaterThan(0);
});
