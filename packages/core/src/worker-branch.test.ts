import { expect, test } from 'vitest';
import { branchPrefixProblem } from './worker-branch.ts';

test.each(['drover', 'agents', 'team/agents', 'a.b_c-d', '_x'])('given the prefix %j, then it is one', (prefix) => {
  expect(branchPrefixProblem(prefix)).toBe(null);
});

test.each([
  '',
  '/',
  'a/',
  '/a',
  'a//b',
  '-a',
  'a/-b',
  '.a',
  'a..b',
  'a.lock',
  'a.',
  'a b',
  'a~',
  'a:b',
  '@{',
  'a\n',
  'x'.repeat(61),
])('given the prefix %j, then git would take no branch below it', (prefix) => {
  expect(branchPrefixProblem(prefix)).toMatch(/^expected a prefix for branch names/u);
});
