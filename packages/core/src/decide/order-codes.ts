/** Which code of the taxonomy has an order that failed on its machine? */
import { codeOfFailure } from '../taxonomy/foreign-codes.ts';
import type { ErrorCode } from '../taxonomy/codes.ts';
import type { Op, OpKind } from '../worker/op.ts';

/** What packages/host calls a program that is not there: for an order that is the agent's own, or one that its session needs. */
const PROGRAM_MISSING = 'program-missing';

/** Orders that talk to the terminal; all others work on the worktree. */
const ON_SESSION: ReadonlySet<OpKind> = new Set<OpKind>(['open', 'respawn', 'close', 'deliver', 'look', 'answer']);

/** The code for what the machine called `code` while it carried out `op`. Total. */
export function codeOfOrder(op: Op, code: string): ErrorCode {
  if (code === PROGRAM_MISSING) return 'AGENT_CLI_NOT_FOUND';
  return codeOfFailure({ code }, ON_SESSION.has(op.kind) ? 'tmux' : 'worktree');
}
