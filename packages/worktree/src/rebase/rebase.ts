/** Puts a worker's branch on top of a newer default branch, and gives an attempt up. */
import { DEADLINES_MS, type Git, git } from '../git/git.ts';
import { errorFromGit } from '../git/git-error.ts';
import { type RebaseProgress, existingCommit, rebaseProgress } from '../worktrees/facts.ts';
import { operationInProgress } from './operation.ts';
import { isAncestor } from '../git/revisions.ts';
import { type SetAsideOutcome, setAside } from '../checkpoint/set-aside.ts';
import { showHidden } from '../git/hidden.ts';
import { type FileChange, inTheWay, readStatus } from '../git/status.ts';

/** Outcome of {@link rebaseOnto}. */
export type RebaseOutcome =
  | { readonly kind: 'up-to-date'; readonly head: string; readonly onto: string }
  | { readonly kind: 'rebased'; readonly head: string; readonly onto: string }
  /** Stopped at a commit that does not apply. Read the files with `readConflicts`. */
  | { readonly kind: 'conflict'; readonly progress: RebaseProgress; readonly paths: readonly string[] }
  /** Earlier rebase that is under way without conflicts: an agent resolves it, or a git was killed. */
  | { readonly kind: 'interrupted'; readonly progress: RebaseProgress }
  | { readonly kind: 'dirty'; readonly files: readonly FileChange[] };

const CALL = { action: 'rebase', timeoutMs: DEADLINES_MS.checkout } as const;

/**
 * Rebases the branch that is checked out. A conflict is left standing for the worker, also one whose resolution git has recorded
 * (rerere): it may have been a wrong one, and would not be judged. Repeated while a rebase stands, it reports that one and starts none.
 * `beyond`: only the commits after this one, which the branch leaves behind.
 *
 * @throws {GitError}
 */
export async function rebaseOnto(
  context: Git,
  {
    worktree: at,
    onto: revision,
    beyond,
  }: { readonly worktree: string; readonly onto: string; readonly beyond?: string | undefined },
): Promise<RebaseOutcome> {
  const standing = await standingRebase(context, at);
  if (standing) return standing;
  await forgetRemains(context, at);
  const status = await readStatus(context, at);
  if (inTheWay(status).length > 0) return { kind: 'dirty', files: inTheWay(status) };
  const onto = await existingCommit(context, at, revision);
  if (beyond === undefined && (await isAncestor(context, at, { ancestor: onto, descendant: 'HEAD' }))) {
    return { kind: 'up-to-date', head: await existingCommit(context, at, 'HEAD'), onto };
  }
  // Git would rebase over files that it was told not to look at.
  if (await showHidden(context, at, onto)) return { kind: 'dirty', files: inTheWay(await readStatus(context, at)) };
  return attempt(context, at, { onto, beyond });
}

/**
 * A rebase that ended before it moved anything, such as on a full disk, leaves a directory for which git begins no other one.
 * HEAD, index and files stay as they are.
 */
async function forgetRemains(context: Git, at: string): Promise<void> {
  if ((await operationInProgress(context, at))?.kind !== 'rebase') return;
  await git(context, ['rebase', '--quit'], { ...CALL, at, action: 'forget a rebase that never began' });
}

async function attempt(
  context: Git,
  at: string,
  { onto, beyond }: { onto: string; beyond: string | undefined },
): Promise<RebaseOutcome> {
  const options = ['--merge', '--no-autostash', '--no-autosquash', '--empty=drop', '--no-verify', '--quiet'];
  const flags = context.hooks === true ? options.filter((option) => option !== '--no-verify') : options;
  const call = { ...CALL, at, allow: [1, 128], config: ['rerere.enabled=false'] };
  const range = beyond === undefined ? [onto] : ['--onto', onto, beyond];
  const answer = await git(context, ['rebase', ...flags, ...range], call);
  if (answer.status !== 0) {
    const standing = await standingRebase(context, at);
    if (standing?.kind === 'conflict') return standing;
    throw errorFromGit(`rebase in "${at}" onto ${onto}`, answer.stderr || answer.stdout);
  }
  return { kind: 'rebased', head: await existingCommit(context, at, 'HEAD'), onto };
}

async function standingRebase(
  context: Git,
  at: string,
): Promise<Extract<RebaseOutcome, { kind: 'conflict' | 'interrupted' }> | undefined> {
  const status = await readStatus(context, at, 'no');
  const progress = await rebaseProgress(context, at, status);
  if (progress === undefined) return undefined;
  if (status.unmerged.length === 0) return { kind: 'interrupted', progress };
  return { kind: 'conflict', progress, paths: status.unmerged.map((entry) => entry.path) };
}

/** Outcome of {@link abortRebase}. `saved` is the half-resolved state, unless there was nothing to save. */
type AbortOutcome =
  | { readonly kind: 'no-rebase'; readonly head: string }
  | { readonly kind: 'aborted'; readonly head: string; readonly saved: SetAsideOutcome };

/** Gives a rebase up: saves the half-resolved state on a checkpoint ref, then puts the branch back. @throws {GitError} */
export async function abortRebase(
  context: Git,
  request: {
    readonly worktree: string;
    readonly archive: string;
    readonly worker: string;
    readonly id: string;
    readonly now: number;
  },
): Promise<AbortOutcome> {
  const at = request.worktree;
  const progress = await rebaseProgress(context, at, await readStatus(context, at, 'no'));
  if (progress === undefined) return { kind: 'no-rebase', head: await existingCommit(context, at, 'HEAD') };
  const saved = await setAside(context, request);
  await git(context, ['rebase', '--abort'], { ...CALL, at, action: 'give up the rebase' });
  return { kind: 'aborted', head: await existingCommit(context, at, 'HEAD'), saved };
}
