/** Finds the code of the taxonomy for a command that failed on its machine. */
import { codeOfFailure } from '../taxonomy/foreign-codes.ts';
import type { ErrorCode } from '../taxonomy/codes.ts';
import type { Command, CommandKind } from '../machine/commands.ts';

/** Code of packages/host for a missing program: for a command that is the agent's own, or one that its session needs. */
const PROGRAM_MISSING = 'program-missing';
/** Code of a machine for a worktree in which another agent works, so that none may be started. */
const IN_USE = 'worktree-in-use';

/** Commands that talk to the terminal; all others work on the worktree. */
const ON_SESSION: ReadonlySet<CommandKind> = new Set<CommandKind>([
  'open',
  'respawn',
  'close',
  'deliver',
  'observe',
  'answer',
  'interrupt',
]);

/** Returns the code of the taxonomy for the machine's `code` of a failed command. Total. */
export function codeOfCommand({ kind }: Command, code: string): ErrorCode {
  if (kind === 'set-up') return 'SETUP_FAILED';
  if (code === PROGRAM_MISSING) return 'AGENT_CLI_NOT_FOUND';
  if (code === IN_USE) return 'WORKTREE_IN_USE';
  return codeOfFailure({ code }, ON_SESSION.has(kind) ? 'tmux' : 'worktree');
}
