/** How does a worker get a fresh worktree when its work is in the default branch for certain? */
import { baseRef, fetchDefaultBranch } from '../project/clone.ts';
import { DEADLINES_MS, type Git, git } from '../git/git.ts';
import { safeRevision, workerBranch } from '../names.ts';
import { aheadBehind, commitOf, isAncestor, writing } from '../git/revisions.ts';
import { retryLocked } from '../git/retry-locked.ts';
import { type FileChange, readStatus } from '../git/status.ts';
import { keepInTrash } from './remove.ts';
import { ensureWorktree, listWorktrees, resolved } from './worktrees.ts';

/** A worktree whose work, at `head`, was merged as `commit`. `now` is epoch milliseconds. */
interface RecycleRequest {
  readonly repo: string;
  readonly worktree: string;
  readonly worker: string;
  readonly defaultBranch: string;
  readonly head: string;
  readonly commit: string;
  readonly now: number;
}

/** What {@link recycle} did. Nothing is changed in the cases after the first. */
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
  const { repo, worker, defaultBranch, head, commit, now } = request;
  const to = await fetchDefaultBranch(context, repo, defaultBranch);
  if (!(await isAncestor(context, repo, { ancestor: safeRevision(commit), descendant: to })))
    return { kind: 'not-merged', tip: to };
  const found = await findTips(context, request);
  const tips: string[] = [];
  for (const tip of found.tips) if (await isBeyond(context, repo, { tip, head, base: to })) tips.push(tip);
  if (tips.length > 0 || found.files.length > 0) return { kind: 'kept', tips, files: found.files };
  const isMerged = await isAncestor(context, repo, { ancestor: head, descendant: to });
  const isThere = (await commitOf(context, repo, head)) !== undefined;
  const trash =
    isMerged || !isThere
      ? undefined
      : await keepInTrash(context, repo, { worker, id: `merged-${head.slice(0, 12)}`, tip: head, now });
  return moveTo(context, { request, to, trash });
}

interface Tips {
  /** Commits that would be forgotten: of the branch, and of HEAD. */
  readonly tips: readonly string[];
  readonly files: readonly FileChange[];
}

async function findTips(context: Git, { repo, worktree: path, worker }: RecycleRequest): Promise<Tips> {
  const branch = await commitOf(context, repo, `refs/heads/${workerBranch(worker)}`);
  const at = await resolved(context, path);
  const here = (await listWorktrees(context, repo)).find((entry) => entry.path === at && !entry.gone);
  if (here === undefined) return { tips: branch === undefined ? [] : [branch], files: [] };
  const { head, changes } = await readStatus(context, at);
  return { tips: [...new Set([branch, head].filter((tip) => tip !== undefined))], files: changes };
}

async function isBeyond(
  context: Git,
  repo: string,
  { tip, head, base }: { readonly tip: string; readonly head: string; readonly base: string },
): Promise<boolean> {
  return tip !== head && (await aheadBehind(context, repo, { base, tip })).ahead > 0;
}

/** First the files, on no branch, then the branch if it is still where it was seen: a commit of this moment is not forgotten. */
async function moveTo(
  context: Git,
  { request, to, trash }: { readonly request: RecycleRequest; readonly to: string; readonly trash: string | undefined },
): Promise<RecycleOutcome> {
  const { repo, worker, defaultBranch, head } = request;
  const at = await resolved(context, request.worktree);
  const branch = workerBranch(worker);
  const ref = `refs/heads/${branch}`;
  const isThere = (await listWorktrees(context, repo)).some((entry) => entry.path === at && !entry.gone);
  const call = { at, action: `bring "${branch}" to ${to}`, timeoutMs: DEADLINES_MS.checkout };
  if (isThere) await retryLocked(() => git(context, ['checkout', '--quiet', '--detach', to, '--'], call));
  const tip = await commitOf(context, repo, ref);
  if (tip !== undefined && tip !== to) {
    const beyond = await isBeyond(context, repo, { tip, head, base: to });
    const args = ['update-ref', '-m', 'drover: recycle', ref, to, tip];
    const swapped = !beyond && (await git(context, args, { ...writing(repo, 'move the branch'), allow: [1, 128] }));
    if (swapped === false || swapped.status !== 0) {
      if (isThere) await git(context, ['checkout', '--quiet', branch, '--'], call);
      return { kind: 'kept', tips: [(await commitOf(context, repo, ref)) ?? tip], files: [] };
    }
  }
  const made = isThere
    ? await retryLocked(() => git(context, ['checkout', '--quiet', '--no-track', '-B', branch, to, '--'], call))
    : await ensureWorktree(context, { repo, path: request.worktree, branch, base: baseRef(defaultBranch) });
  if ('kind' in made && made.kind !== 'created' && made.kind !== 'exists')
    return { kind: 'blocked', message: made.message };
  return { kind: 'recycled', head: to, trash };
}
