/** Is a command about a commit carried out only where it names one, and is an answer that names none taken for nothing more? */
import { expect, test } from 'vitest';
import { command, commandResult } from './command.ts';

const HEAD = 'a'.repeat(40);

test.each([
  ['none', { kind: 'validate' }],
  ['the beginning of one', { kind: 'validate', at: { head: HEAD.slice(1), tree: null } }],
  ['a branch', { kind: 'publish', base: 'main', commit: HEAD }],
  ['an option', { kind: 'rebase', at: { head: '--exec=x', tree: null } }],
])('given an order to act on a commit, when it names %s, then it cannot be read', (_what, said) => {
  expect(command.safeParse(said).success).toBe(false);
});

test('given a rebase of an older coordinator, when it is read, then it is one of whatever is there, which merges nothing', () => {
  expect(command.parse({ kind: 'rebase' })).toEqual({ kind: 'rebase', at: null, began: null });
});

test('given answers of an older machine, when they are read, then they name no object', () => {
  const rebased = commandResult.parse({ kind: 'rebased', base: HEAD, head: HEAD, moved: true });

  expect(rebased).toMatchObject({ from: '' });
  expect(commandResult.parse({ kind: 'valid' })).toEqual({ kind: 'valid', head: '', tree: '', checks: '' });
});
