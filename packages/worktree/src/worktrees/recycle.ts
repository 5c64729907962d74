/** Is the work in the default branch for certain, and how does its worker get a fresh worktree then? */
import { baseRef, fetchDefaultBranch } from '../project/clone.ts';
import type { Git } from '../git/git.ts';
import { safeRevision, workerBranch } from '../names.ts';
import { moveBranch } from './prepare.ts';
import { type RemoveOutcome, removeWorktree } from './remove.ts';
import { commitOf, isAncestor } from '../git/revisions.ts';
import { readStatus } from '../git/status.ts';
import { ensureWorktree } from './worktrees.ts';

/** Whether the source's default branch holds the commit. `tip` is that branch now. */
type MergeProof =
  | { readonly kind: 'merged'; readonly commit: string; readonly tip: string }
  | { readonly kind: 'not-merged'; readonly commit: string; readonly tip: string | undefined };

/** Asks the source repository itself. Proves nothing about its working tree. @throws {GitError} */
export async function proveMerged(
  context: Git,
  {
    source,
    defaultBranch,
    commit,
  }: { readonly source: string; readonly defaultBranch: string; readonly commit: string },
): Promise<MergeProof> {
  const tip = await commitOf(context, source, `refs/heads/${safeRevision(defaultBranch)}`);
  const held = tip !== undefined && (await isAncestor(context, source, { ancestor: commit, descendant: tip }));
  return held ? { kind: 'merged', commit, tip } : { kind: 'not-merged', commit, tip };
}

/** A worktree whose accepted commit is `commit`. */
interface RecycleRequest {
  readonly repo: string;
  readonly worktree: string;
  readonly worker: string;
  readonly source: string;
  readonly defaultBranch: string;
  readonly commit: string;
  /**
   * Keep the directory and move it in place. A program that lives in the directory would otherwise be left in
   * one that no longer exists. Ignored files, such as installed packages, stay.
   */
  readonly keepDirectory: boolean;
}

/** What {@link recycle} did. Nothing is removed in the cases after the first. */
export type RecycleOutcome =
  | { readonly kind: 'recycled'; readonly path: string; readonly head: string }
  | Extract<MergeProof, { kind: 'not-merged' }>
  | { readonly kind: 'kept'; readonly because: RemoveOutcome }
  | { readonly kind: 'blocked'; readonly message: string };

/**
 * After proof that the commit is merged: removes worktree and branch and makes new ones on the default branch.
 * Refuses when the worktree holds anything that is not in the default branch.
 *
 * @throws {GitError}
 */
export async function recycle(context: Git, request: RecycleRequest): Promise<RecycleOutcome> {
  const { repo, worktree: path, worker, defaultBranch } = request;
  const proof = await proveMerged(context, request);
  if (proof.kind === 'not-merged') return proof;
  await fetchDefaultBranch(context, repo, defaultBranch);
  const branch = workerBranch(worker);
  const base = baseRef(defaultBranch);
  if (request.keepDirectory && (await context.files.stat(path)) !== undefined) return inPlace(context, request);
  const removed = await removeWorktree(context, { repo, path, worker, base });
  if (removed.kind !== 'removed' && removed.kind !== 'absent') return { kind: 'kept', because: removed };
  const made = await ensureWorktree(context, { repo, path, branch, base });
  if (made.kind === 'created' || made.kind === 'exists') return { kind: 'recycled', path: made.path, head: made.head };
  return { kind: 'blocked', message: made.message };
}

async function inPlace(context: Git, { worktree: at, worker, defaultBranch }: RecycleRequest): Promise<RecycleOutcome> {
  const base = baseRef(defaultBranch);
  const branch = workerBranch(worker);
  const { changes } = await readStatus(context, at);
  const tips = ['HEAD', `refs/heads/${branch}`];
  const held = await Promise.all(tips.map((tip) => isAncestor(context, at, { ancestor: tip, descendant: base })));
  if (changes.length > 0 || held.includes(false)) {
    const ahead = held.filter((merged) => !merged).length;
    return { kind: 'kept', because: { kind: 'not-merged', ahead, changed: changes.length } };
  }
  await moveBranch(context, { at, branch, to: base });
  return { kind: 'recycled', path: at, head: (await commitOf(context, at, 'HEAD')) ?? '' };
}
