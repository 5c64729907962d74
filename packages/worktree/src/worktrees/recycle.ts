/** How does a worker get a fresh worktree when its work is in the default branch for certain? */
import { baseRef, fetchDefaultBranch } from '../project/clone.ts';
import { DEADLINES_MS, type Git, git } from '../git/git.ts';
import { workerBranch } from '../names.ts';
import { errorFromGit } from '../git/git-error.ts';
import { aheadBehind, commitOf, isAncestor, writing } from '../git/revisions.ts';
import { retryLocked } from '../git/retry-locked.ts';
import { type FileChange, readStatus } from '../git/status.ts';
import { keepInTrash } from './remove.ts';
import { together } from '../git/together.ts';
import { type Worktree, ensureWorktree, listWorktrees, resolved } from './worktrees.ts';

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
  const isIn = to === commit || (await isAncestor(context, repo, { ancestor: commit, descendant: to }));
  if (!isIn) return { kind: 'not-merged', tip: to };
  const found = await findTips(context, request);
  const tips: string[] = [];
  for (const tip of found.tips) if (await isBeyond(context, repo, { tip, head, base: to })) tips.push(tip);
  if (tips.length > 0 || found.files.length > 0) return { kind: 'kept', tips, files: found.files };
  const isMerged = await isAncestor(context, repo, { ancestor: head, descendant: to });
  const isThere = found.tips.includes(head) || (await commitOf(context, repo, head)) !== undefined;
  const trash =
    isMerged || !isThere
      ? undefined
      : await keepInTrash(context, repo, { worker, id: `merged-${head.slice(0, 12)}`, tip: head, now });
  return moveTo(context, { request, to, trash, found });
}

interface Tips {
  /** The worktree, unless its directory is gone. */
  readonly here: Worktree | undefined;
  /** The branch's commit, and whether another worktree has the branch too. */
  readonly branch: string | undefined;
  readonly isElsewhere: boolean;
  /** Commits that would be forgotten: of the branch, and of HEAD. */
  readonly tips: readonly string[];
  readonly files: readonly FileChange[];
}

async function findTips(context: Git, { repo, worktree: path, worker }: RecycleRequest): Promise<Tips> {
  const name = workerBranch(worker);
  const at = await resolved(context, path);
  const [branch, worktrees] = await together([
    commitOf(context, repo, `refs/heads/${name}`),
    listWorktrees(context, repo),
  ]);
  const here = worktrees.find((entry) => entry.path === at && !entry.gone);
  const isElsewhere = worktrees.some((entry) => entry.path !== at && entry.branch === name);
  const { head, changes } = here === undefined ? { head: undefined, changes: [] } : await readStatus(context, at);
  const tips = [...new Set([branch, head].filter((tip) => tip !== undefined))];
  return { here, branch, isElsewhere, tips, files: changes };
}

async function isBeyond(
  context: Git,
  repo: string,
  { tip, head, base }: { readonly tip: string; readonly head: string; readonly base: string },
): Promise<boolean> {
  return tip !== head && (await aheadBehind(context, repo, { base, tip })).ahead > 0;
}

interface Fresh {
  readonly request: RecycleRequest;
  readonly to: string;
  readonly trash: string | undefined;
  readonly found: Tips;
}

/** First the files, on no branch, then the branch if it is still where it was seen: a commit of this moment is not forgotten. */
async function moveTo(context: Git, { request, to, trash, found }: Fresh): Promise<RecycleOutcome> {
  const { repo, worker, defaultBranch } = request;
  const { here, branch: tip, isElsewhere } = found;
  const branch = workerBranch(worker);
  const ref = `refs/heads/${branch}`;
  const at = await resolved(context, request.worktree);
  const call = { at, action: `bring "${branch}" to ${to}`, timeoutMs: DEADLINES_MS.checkout };
  if (here !== undefined) await retryLocked(() => git(context, ['checkout', '--quiet', '--detach', to, '--'], call));
  // Also where it is there already: a commit of this moment would be on the branch, and not in the files.
  if (tip !== undefined) {
    const args = ['update-ref', '-m', 'drover: recycle', ref, to, tip];
    const move = { ...writing(repo, 'move the branch'), allow: [1, 128] };
    const { status, stderr } = await git(context, args, move);
    if (status !== 0) {
      const now = (await commitOf(context, repo, ref)) ?? tip;
      // There is no new commit: the cause is such as a lock that a killed git left. Repeated, it goes on from here.
      if (now === tip) throw errorFromGit(`${move.action} in "${repo}"`, stderr);
      if (here !== undefined) await git(context, ['checkout', '--quiet', branch, '--'], call);
      return { kind: 'kept', tips: [now], files: [] };
    }
  }
  if (here === undefined) {
    const made = await ensureWorktree(context, { repo, path: at, branch, base: baseRef(defaultBranch) });
    if (made.kind !== 'created' && made.kind !== 'exists') return { kind: 'blocked', message: made.message };
  } else {
    // Files and index are those of the branch already: only HEAD has to say so.
    const args =
      tip === undefined || isElsewhere
        ? ['checkout', '--quiet', '--no-track', '-B', branch, to, '--']
        : ['symbolic-ref', '-m', 'drover: recycle', 'HEAD', ref];
    await retryLocked(() => git(context, args, call));
  }
  return { kind: 'recycled', head: to, trash };
}
