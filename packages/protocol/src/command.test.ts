/** Checks that a command about a commit is carried out only if it names one, and that a result which cannot be read ends its command. */
import { expect, test } from 'vitest';
import { command, commandResult } from './command.ts';

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

test.each([
  ['a problem of 400,000 characters', { kind: 'invalid', problem: 'k'.repeat(400_000) }],
  ['a result that grew', { kind: 'given', attempt: 1, at: 1, result: { verdict: 'done', summary: 'x'.repeat(2_001) } }],
])(
  'given an older machine that sends %s, when it tells what it saw, then all but the result is read',
  (_what, result) => {
    const seen = { kind: 'observed', incarnation: 'life', screen: null, git: null, delivery: null };

    const read = commandResult.safeParse({ ...seen, result });

    expect(read.data).toEqual({ ...seen, result: { kind: 'invalid', problem: expect.stringContaining('shorter') } });
    expect(commandResult.parse(seen)).toEqual(seen);
  },
);
