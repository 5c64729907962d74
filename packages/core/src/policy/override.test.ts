/** Which changes of the policy hold, and what is said of the others? */
import { expect, test } from 'vitest';
import { policyWith } from './override.ts';
import { DEFAULT_POLICY } from './policy.ts';

test('given a number, when it is changed, then only that one is', () => {
  const outcome = policyWith({ crash: { restartAfterMs: 500 } });

  expect(outcome).toEqual({
    kind: 'ok',
    policy: { ...DEFAULT_POLICY, crash: { ...DEFAULT_POLICY.crash, restartAfterMs: 500 } },
  });
});

test('given no changes, when they are applied, then the defaults hold', () => {
  expect(policyWith({})).toEqual({ kind: 'ok', policy: DEFAULT_POLICY });
});

test.each([
  ['a name that is none', { crsh: { countMax: 1 } }, 'policy.crsh is no number of the policy; there are: checkEveryMs'],
  ['a name that is none in a table', { crash: { count: 1 } }, 'policy.crash.count is no number'],
  ['a negative number', { checkEveryMs: -1 }, 'policy.checkEveryMs takes a number that is not negative, such as 60000'],
  ['a number for a table', { crash: 5 }, 'policy.crash is a table (restartAfterMs'],
  ['a table for a number', { checkEveryMs: { a: 1 } }, 'policy.checkEveryMs takes a number'],
  ['a list', { lostInput: { waitMs: 1 } }, 'policy.lostInput is a list'],
])('given %s, when it is applied, then it is named', (_what, changes, words) => {
  const outcome = policyWith(changes);

  expect(outcome.kind).toBe('invalid');
  expect(outcome.kind === 'invalid' ? outcome.problems.join() : '').toContain(words);
});
