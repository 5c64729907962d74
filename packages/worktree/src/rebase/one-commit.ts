/** Puts a worker's work on the newest default branch as one commit, so that its conflicts come once and not once for each of its commits. */
import { squashWork } from './squash.ts';
import { type Git, git } from '../git/git.ts';
import { isAncestor, reading } from '../git/revisions.ts';
import { type FileChange, inTheWay, readStatus } from '../git/status.ts';
import { existingCommit, rebaseProgress } from '../worktrees/facts.ts';
import { abortRebase, rebaseOnto } from './rebase.ts';

/** Work to rebase. `id` names the save of a rebase that a kill cut off; `now` is epoch milliseconds. */
interface OneCommitRequest {
  readonly worktree: string;
  readonly archive: string;
  readonly worker: string;
  /** The newest commit of the default branch, which the depot has. */
  readonly onto: string;
  readonly id: string;
  readonly now: number;
  /** The default branch does not hold this commit any more: only what comes after it is the work. */
  readonly beyond?: string | undefined;
}

/** Outcome of {@link rebaseAsOne}. Commits by their full names. */
type OneCommitOutcome =
  /** The branch is on `onto`. */
  | { readonly kind: 'rebased'; readonly onto: string; readonly head: string }
  /** `orig`, the one commit, does not apply to `onto`. The conflicts stand in the worktree. */
  | { readonly kind: 'conflict'; readonly onto: string; readonly orig: string }
  | { readonly kind: 'interrupted' | 'wrong-branch' }
  | { readonly kind: 'dirty'; readonly files: readonly FileChange[] };

/**
 * Makes one commit of the work, keeps the previous commits in the trash, and rebases that one. Work that is on the
 * newest default branch already stays as it is. A rebase that a kill cut off is given up (its state is saved) and done
 * again; existing conflicts are reported, and nothing is begun.
 *
 * @throws {GitError}
 */
export async function rebaseAsOne(context: Git, request: OneCommitRequest): Promise<OneCommitOutcome> {
  const { worktree, archive, worker, onto, now } = request;
  const status = await readStatus(context, worktree);
  const standing = await rebaseProgress(context, worktree, status);
  if (standing !== undefined) {
    if (status.unmerged.length > 0) return { kind: 'conflict', onto: standing.onto, orig: standing.originalHead };
    await abortRebase(context, request);
  } else if (inTheWay(status).length > 0) return { kind: 'dirty', files: inTheWay(status) };
  const head = await existingCommit(context, worktree, 'HEAD');
  const contains = (ancestor: string): Promise<boolean> =>
    isAncestor(context, worktree, { ancestor, descendant: head });
  // A rebase that was done already has left it behind.
  const beyond = request.beyond !== undefined && (await contains(request.beyond)) ? request.beyond : undefined;
  if (beyond !== undefined || !(await contains(onto))) {
    const base = beyond ?? (await partedAt(context, worktree, [onto, head]));
    if (base !== undefined) {
      const squashed = await squashWork(context, { worktree, archive, worker, base, head, now });
      if (squashed.kind === 'wrong-branch') return { kind: 'wrong-branch' };
      if (squashed.kind === 'dirty') return squashed;
    }
  }
  return rebaseOne(context, { worktree, onto, beyond });
}

async function rebaseOne(context: Git, request: Parameters<typeof rebaseOnto>[1]): Promise<OneCommitOutcome> {
  const { onto } = request;
  const outcome = await rebaseOnto(context, request);
  switch (outcome.kind) {
    case 'rebased':
    case 'up-to-date':
      return { kind: 'rebased', onto, head: outcome.head };
    case 'conflict':
      return { kind: 'conflict', onto: outcome.progress.onto, orig: outcome.progress.originalHead };
    case 'interrupted':
      return { kind: 'interrupted' };
    case 'dirty':
      return outcome;
    default:
      return outcome satisfies never;
  }
}

async function partedAt(
  context: Git,
  at: string,
  [one, other]: readonly [string, string],
): Promise<string | undefined> {
  const call = { ...reading(at, 'find where the branches parted'), allow: [1] };
  return (await git(context, ['merge-base', one, other], call)).stdout.trim() || undefined;
}
