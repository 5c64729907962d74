/**
 * What are the first steps of accepting a worker's work? The steps are separate so that the caller can record each
 * outcome and go on after a crash: acceptRebase → acceptValidate → acceptSquash → acceptFastForward → proveMerged →
 * recycle. Each may be repeated.
 */
import { fetchDefaultBranch } from '../project/clone.ts';
import type { Git } from '../git/git.ts';
import { type RebaseOutcome, abortRebase, rebaseOnto } from '../rebase/rebase.ts';
import { aheadBehind } from '../git/revisions.ts';
import { validate } from './validate.ts';

/** What {@link acceptRebase} did. `base` is the value the default branch must still have when it is advanced. */
type AcceptRebaseOutcome =
  | { readonly kind: 'ready'; readonly base: string; readonly head: string; readonly ahead: number }
  | { readonly kind: 'nothing-to-accept'; readonly base: string }
  | Extract<RebaseOutcome, { kind: 'conflict' | 'interrupted' | 'dirty' }>;

/**
 * Puts the branch on the newest default branch of the source. A rebase that a crash cut off is given up (its state
 * is saved) and done again; `id` names that save, `now` is epoch milliseconds.
 *
 * @throws {GitError}
 */
export async function acceptRebase(
  context: Git,
  request: {
    readonly worktree: string;
    readonly worker: string;
    readonly defaultBranch: string;
    readonly id: string;
    readonly now: number;
  },
): Promise<AcceptRebaseOutcome> {
  const { worktree, defaultBranch } = request;
  const base = await fetchDefaultBranch(context, worktree, defaultBranch);
  let outcome = await rebaseOnto(context, { worktree, onto: base });
  if (outcome.kind === 'interrupted') {
    await abortRebase(context, request);
    outcome = await rebaseOnto(context, { worktree, onto: base });
  }
  if (outcome.kind !== 'rebased' && outcome.kind !== 'up-to-date') return outcome;
  const { ahead } = await aheadBehind(context, worktree, { base });
  return ahead === 0 ? { kind: 'nothing-to-accept', base } : { kind: 'ready', base, head: outcome.head, ahead };
}

/** Runs the project's checks on the rebased work. See {@link validate}. */
export const acceptValidate = validate;
