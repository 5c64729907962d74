/** Gives a worker a fresh worktree once its work is in the default branch for certain. */
import { noteBase } from '../archive/archive.ts';
import { keepBranch } from '../archive/keep.ts';
import { DEADLINES_MS, type Git, git, unconfined } from '../git/git.ts';
import { workerBranch } from '../names.ts';
import { errorFromGit } from '../git/git-error.ts';
import { aheadBehind, commitOf, isAncestor, writing } from '../git/revisions.ts';
import { retryLocked } from '../git/retry-locked.ts';
import type { FileChange } from '../git/status.ts';
import { showHidden } from '../git/hidden.ts';
import { readTidied } from '../submodules/tidy.ts';
import { keepInTrash } from './trash.ts';
import { ensureWorktree, type WorkerPlace } from './clone.ts';

/** A place whose work, at `head`, was merged as `commit`. `now` is epoch milliseconds. */
interface RecycleRequest {
  readonly place: WorkerPlace;
  readonly head: string;
  readonly commit: string;
  readonly now: number;
}

/** Outcome of {@link recycle}. Nothing is changed in the cases after the first. */
export type RecycleOutcome =
  /** `trash` keeps the commits as they were, for 14 days; undefined where they are in the default branch themselves. */
  | { readonly kind: 'recycled'; readonly head: string; readonly trash: string | undefined }
  | { readonly kind: 'not-merged'; readonly tip: string }
  /** `tips` are commits beyond the merged work; `files` are not committed. */
  | { readonly kind: 'kept'; readonly tips: readonly string[]; readonly files: readonly FileChange[] }
  | { readonly kind: 'blocked'; readonly message: string };

/**
 * Brings branch and worktree to the newest default branch, once that holds `commit`. Refuses when there is anything beyond
 * `head`. Ignored files, such as installed packages, stay. Safe to repeat.
 *
 * @throws {GitError}
 */
export async function recycle(context: Git, request: RecycleRequest): Promise<RecycleOutcome> {
  const { place, head, commit, now } = request;
  const { archive, worker, base: to } = place;
  const own = unconfined(context);
  const isIn = to === commit || (await isAncestor(own, archive, { ancestor: commit, descendant: to }));
  if (!isIn) return { kind: 'not-merged', tip: to };
  const made = await ensureWorktree(context, place);
  if (made.kind === 'occupied') return { kind: 'blocked', message: made.message };
  const at = made.path;
  await noteBase(context, at, place);
  await showHidden(context, at, to);
  const found = await findTips(context, at, worker);
  const tips: string[] = [];
  for (const tip of found.tips) if (await isBeyond(context, at, { tip, head, base: to })) tips.push(tip);
  if (tips.length > 0 || found.files.length > 0) return { kind: 'kept', tips, files: found.files };
  const isThere = (await commitOf(context, at, head)) !== undefined;
  const isMerged = !isThere || (await isAncestor(context, at, { ancestor: head, descendant: to }));
  const trash = isMerged
    ? undefined
    : await keepInTrash(context, archive, { from: at, worker, id: `merged-${head.slice(0, 12)}`, tip: head, now });
  return moveTo(context, { at, place, trash, tip: found.branch, force: found.isConverted });
}

interface Tips {
  /** The branch's commit. */
  readonly branch: string | undefined;
  /** Commits that would be forgotten: of the branch, and of HEAD. */
  readonly tips: readonly string[];
  readonly files: readonly FileChange[];
  readonly isConverted: boolean;
}

async function findTips(context: Git, at: string, worker: string): Promise<Tips> {
  const branch = await commitOf(context, at, `refs/heads/${workerBranch(context, worker)}`);
  const { head, changes, converted } = await readTidied(context, at);
  const tips = [...new Set([branch, head].filter((tip) => tip !== undefined))];
  return { branch, tips, files: changes, isConverted: converted.length > 0 };
}

async function isBeyond(
  context: Git,
  at: string,
  { tip, head, base }: { readonly tip: string; readonly head: string; readonly base: string },
): Promise<boolean> {
  return tip !== head && (await aheadBehind(context, at, { base, tip })).ahead > 0;
}

interface Fresh {
  readonly at: string;
  readonly place: WorkerPlace;
  readonly trash: string | undefined;
  /** The branch's commit, as it was seen. */
  readonly tip: string | undefined;
  /** Write also files that git calls changed. */
  readonly force: boolean;
}

/** First the files, on no branch, then the branch if it is still where it was seen: a commit of this moment is not forgotten. */
async function moveTo(context: Git, { at, place, trash, tip, force }: Fresh): Promise<RecycleOutcome> {
  const { archive, worker, base: to } = place;
  const branch = workerBranch(context, worker);
  const ref = `refs/heads/${branch}`;
  const call = { at, action: `bring "${branch}" to ${to}`, timeoutMs: DEADLINES_MS.checkout };
  const files = ['checkout', '--quiet', ...(force ? ['--force'] : []), '--detach', to, '--'];
  await retryLocked(() => git(context, files, call));
  // Moves the branch also where it is there already: a commit of this moment would be on the branch, and not in the
  // files.
  if (tip !== undefined) {
    const args = ['update-ref', '-m', 'drover: recycle', ref, to, tip];
    const move = { ...writing(at, 'move the branch'), allow: [1, 128] };
    const { status, stderr } = await git(context, args, move);
    if (status !== 0) {
      const now = (await commitOf(context, at, ref)) ?? tip;
      // Fails when there is no new commit: the cause is such as a lock that a killed git left. A repeated call goes on
      // from here.
      if (now === tip) throw errorFromGit(`${move.action} in "${at}"`, stderr);
      await git(context, ['checkout', '--quiet', branch, '--'], call);
      return { kind: 'kept', tips: [now], files: [] };
    }
  }
  // Files and index are those of the branch already: only HEAD has to say so.
  const args =
    tip === undefined
      ? ['checkout', '--quiet', '--no-track', '-B', branch, to, '--']
      : ['symbolic-ref', '-m', 'drover: recycle', 'HEAD', ref];
  await retryLocked(() => git(context, args, call));
  await keepBranch(context, archive, { from: null, worker, tip: to });
  return { kind: 'recycled', head: to, trash };
}
