/** Checks that a command about a commit is carried out only if it names one. */
import { expect, test } from 'vitest';
import { command } from './command.ts';

const HEAD = 'a'.repeat(40);

test.each([
  ['none', { kind: 'validate' }],
  ['none, to rebase', { kind: 'rebase' }],
  ['the beginning of one', { kind: 'validate', at: { head: HEAD.slice(1), tree: null } }],
  ['a branch', { kind: 'publish', base: 'main', commit: HEAD }],
  ['an option', { kind: 'rebase', at: { head: '--exec=x', tree: null } }],
])('given a command to act on a commit, when it names %s, then it cannot be read', (_what, said) => {
  expect(command.safeParse(said).success).toBe(false);
});
