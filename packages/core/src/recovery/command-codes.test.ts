/** Maps a failed command, by the names that machines give, to its error code. */
import { expect, test } from 'vitest';
import { codeOfCommand } from './command-codes.ts';

test.each([
  ['program-missing', 'AGENT_CLI_NOT_FOUND'],
  ['disk-full', 'FILESYSTEM_ERROR'],
  ['read-only', 'FILESYSTEM_ERROR'],
  ['no-permission', 'PERMISSION_DENIED'],
  ['ENOSPC', 'FILESYSTEM_ERROR'],
  ['EMFILE', 'FILESYSTEM_ERROR'],
  ['EACCES', 'PERMISSION_DENIED'],
  ['locked', 'GIT_WORKTREE_FAILED'],
] as const)('given a command on the worktree that failed with "%s", when it is named, then it is %s', (name, code) => {
  expect(codeOfCommand({ kind: 'rebase', at: null, began: null }, name)).toBe(code);
});

test('given a command to the terminal that failed with a name that is not known, when it is named, then the session failed', () => {
  expect(codeOfCommand({ kind: 'close' }, 'constructor')).toBe('TMUX_SESSION_FAILED');
});
