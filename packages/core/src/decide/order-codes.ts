/** Which code of the taxonomy has an order that failed on its machine? */
import { codeOfFailure } from '../taxonomy/foreign-codes.ts';
import type { ErrorCode } from '../taxonomy/codes.ts';
import type { Op, OpKind } from '../worker/op.ts';

/** What the machine names, beyond the names of the operating system. Source: apps/machine-agent, failure.ts. */
const BY_NAME: Readonly<Record<string, ErrorCode>> = {
  'program-missing': 'AGENT_CLI_NOT_FOUND',
  'disk-full': 'FILESYSTEM_ERROR',
  'read-only': 'FILESYSTEM_ERROR',
  'too-many-files': 'FILESYSTEM_ERROR',
  'no-permission': 'PERMISSION_DENIED',
};

/** Orders that talk to the terminal; all others work on the worktree. */
const ON_SESSION: ReadonlySet<OpKind> = new Set<OpKind>(['open', 'respawn', 'close', 'deliver', 'look', 'answer']);

/** The code for what the machine called `code` while it carried out `op`. Total. */
export function codeOfOrder(op: Op, code: string): ErrorCode {
  const named = Object.hasOwn(BY_NAME, code) ? BY_NAME[code] : undefined;
  return named ?? codeOfFailure({ code }, ON_SESSION.has(op.kind) ? 'tmux' : 'worktree');
}
