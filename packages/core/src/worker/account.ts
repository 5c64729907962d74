/** The slice `account`: tells whether this worker's agent may ask its provider. The account decides who pauses and who probes. */
import { keep } from './slice.ts';
import type { Slice } from './slice.ts';

/** State of the account that this worker's agent uses. `until`: expected end of the limit, epoch milliseconds; null: not known. */
export type Account =
  | { readonly kind: 'open' }
  /** Sends nothing. */
  | { readonly kind: 'paused'; readonly until: number | null }
  /** Lets this worker go on, so that the others learn whether they may. */
  | { readonly kind: 'probe'; readonly until: number | null };

/** Slice of an account without a known limit. The account outlives tasks, sessions and worktrees. */
export const ACCOUNT = {
  initial: { kind: 'open' },
  on: {
    'task-begun': keep,
    'task-ended': keep,
    'session-opened': keep,
    'session-lost': keep,
    'worktree-lost': keep,
    'restore-begun': keep,
    'budget-renewed': keep,
    'person-resumed': keep,
    'given-up': keep,
  },
} satisfies Slice<Account>;

/** Pauses the account: nothing may be sent. */
export function pauseAccount(_account: Account, until: number | null): Account {
  return { kind: 'paused', until };
}

/** Lets this worker find out whether the limit is over. */
export function probeAccount(_account: Account, until: number | null): Account {
  return { kind: 'probe', until };
}

/** Opens an account that answers. */
export function openAccount(_account: Account): Account {
  return { kind: 'open' };
}
