/** When may a worktree and its branch be deleted, and what is kept when a person orders it all the same? */
import { DEADLINES_MS, type Git, git } from '../git/git.ts';
import { GitError } from '../git/git-error.ts';
import { createRef, deleteRefs, listKept } from '../git/kept-refs.ts';
import { TRASH, trashRef, workerBranch, workerName } from '../names.ts';
import { aheadBehind, commitOf } from '../git/revisions.ts';
import { saveWorktree } from '../checkpoint/set-aside.ts';
import { writeKeptCommit } from '../checkpoint/snapshot.ts';
import { readStatus } from '../git/status.ts';
import { type Worktree, listWorktrees, resolved } from './worktrees.ts';

/** What is to go. `base` is the default branch that must hold its commits. */
interface RemoveRequest {
  readonly repo: string;
  readonly path: string;
  readonly worker: string;
  readonly base: string;
  /** The order of a person: everything is kept under `refs/drover/trash/<worker>/<id>…` for 14 days. */
  readonly force?: { readonly id: string; readonly now: number };
}

/** What {@link removeWorktree} did. */
export type RemoveOutcome =
  | { readonly kind: 'removed'; readonly trash: readonly string[] }
  | { readonly kind: 'absent' }
  /** Refused: `ahead` commits are not in the default branch, `changed` files are not committed. */
  | { readonly kind: 'not-merged'; readonly ahead: number; readonly changed: number }
  /** The directory is there but git cannot read it, so its files cannot be kept: left alone. */
  | { readonly kind: 'unreadable'; readonly message: string };

/** Days, as milliseconds, that trash is kept. Source: docs/mechanics.md, "No work is destroyed". */
export const TRASH_KEPT_MS = 14 * 24 * 60 * 60 * 1000;

/**
 * Removes a worker's worktree and its branch. Without `force` only when the worktree is clean and every commit of
 * HEAD and branch is in the default branch. Touches no branch but `drover/<worker>`.
 *
 * @throws {GitError}
 */
export async function removeWorktree(context: Git, request: RemoveRequest): Promise<RemoveOutcome> {
  const { repo, worker } = request;
  const path = await resolved(context, request.path);
  const worktree = (await listWorktrees(context, repo)).find((entry) => entry.path === path);
  const branchTip = await commitOf(context, repo, `refs/heads/${workerBranch(worker)}`);
  if (worktree === undefined && branchTip === undefined) return { kind: 'absent' };
  const tips = [...new Set([worktree?.head, branchTip].filter((tip) => tip !== undefined))];
  const counted = await countChanges(context, worktree);
  if (counted.kind === 'unreadable') return counted;
  const { changed } = counted;
  if (request.force) await fillTrash(context, { request, worktree, changed, tips, force: request.force });
  else {
    const ahead = await mostAhead(context, request, tips);
    if (ahead > 0 || changed > 0) return { kind: 'not-merged', ahead, changed };
  }
  if (worktree) await removeDirectory(context, { repo, worktree, force: request.force !== undefined });
  if (branchTip) await deleteRefs(context, repo, [{ ref: `refs/heads/${workerBranch(worker)}`, commit: branchTip }]);
  const trash = request.force
    ? (await listTrash(context, { repo, worker, id: request.force.id })).map(({ ref }) => ref)
    : [];
  return { kind: 'removed', trash };
}

/** How many paths are not committed; none where there is no directory. */
async function countChanges(
  context: Git,
  worktree: Worktree | undefined,
): Promise<{ readonly kind: 'counted'; readonly changed: number } | Extract<RemoveOutcome, { kind: 'unreadable' }>> {
  if (worktree === undefined || worktree.gone) return { kind: 'counted', changed: 0 };
  try {
    return { kind: 'counted', changed: (await readStatus(context, worktree.path)).changes.length };
  } catch (error) {
    if (!(error instanceof GitError) || error.code !== 'not-a-repository') throw error;
    return {
      kind: 'unreadable',
      message: `${error.message}\nMove what you need out of "${worktree.path}", then delete it.`,
    };
  }
}

/** How many commits are not in the default branch, of the tip that has most of them. */
async function mostAhead(context: Git, { repo, base }: RemoveRequest, tips: readonly string[]): Promise<number> {
  const counts = await Promise.all(tips.map((tip) => aheadBehind(context, repo, { base, tip })));
  return Math.max(0, ...counts.map(({ ahead }) => ahead));
}

/** What goes to the trash; `changed` paths of the worktree are not committed. */
interface Removal {
  readonly request: RemoveRequest;
  readonly worktree: Worktree | undefined;
  readonly changed: number;
  readonly tips: readonly string[];
  readonly force: NonNullable<RemoveRequest['force']>;
}

/** Keeps uncommitted work and every tip, each wrapped in a commit that carries the time of deletion. */
async function fillTrash(context: Git, { request, worktree, changed, tips, force }: Removal): Promise<void> {
  const { repo, worker } = request;
  const head = worktree?.head;
  if (worktree && head && changed > 0) {
    const save = { worktree: worktree.path, id: force.id, now: force.now, head };
    await createRef(context, repo, {
      ref: trashRef(worker, `${force.id}-files`),
      commit: await saveWorktree(context, save),
    });
  }
  for (const tip of tips)
    await keepInTrash(context, repo, { worker, id: `${force.id}-${tip.slice(0, 12)}`, tip, now: force.now });
}

/** Keeps a commit and its history in the trash. Repeating it changes nothing. @throws {GitError} */
export async function keepInTrash(
  context: Git,
  at: string,
  {
    worker,
    id,
    tip,
    now,
  }: { readonly worker: string; readonly id: string; readonly tip: string; readonly now: number },
): Promise<string> {
  const kept = { tree: `${tip}^{tree}`, parents: [tip], message: 'trash\n\nKept by Drover for 14 days.\n', now };
  const ref = trashRef(worker, id);
  await createRef(context, at, { ref, commit: await writeKeptCommit(context, at, kept) });
  return ref;
}

async function removeDirectory(
  context: Git,
  { repo, worktree, force }: { repo: string; worktree: Worktree; force: boolean },
): Promise<void> {
  const unfinished = worktree.gone || worktree.locked === 'initializing';
  const flags = force || unfinished ? ['--force', '--force'] : [];
  const call = { at: repo, action: `remove the worktree "${worktree.path}"`, timeoutMs: DEADLINES_MS.checkout };
  const args = (extra: readonly string[]): string[] => ['worktree', 'remove', ...extra, '--', worktree.path];
  try {
    await git(context, args(flags), call);
  } catch (error) {
    // Git asks for --force whenever there are submodules, clean or not; the status above has shown it clean.
    if (!(error instanceof GitError) || !error.message.includes('submodules')) throw error;
    await git(context, args(['--force']), call);
  }
}

/** What the trash holds of a worker, newest first; of one deletion when `id` is given. */
export async function listTrash(
  context: Git,
  { repo, worker, id }: { readonly repo: string; readonly worker: string; readonly id?: string },
): Promise<{ readonly ref: string; readonly commit: string; readonly deletedAt: number }[]> {
  const kept = await listKept(context, repo, `${TRASH}/${workerName(worker)}`);
  return kept
    .filter((entry) => id === undefined || entry.id.startsWith(`${id}-`))
    .map(({ ref, commit, savedAt }) => ({ ref, commit, deletedAt: savedAt }));
}

/** Drops trash older than 14 days in all workers' names. @returns the refs dropped. */
export async function pruneTrash(
  context: Git,
  { repo, now }: { readonly repo: string; readonly now: number },
): Promise<string[]> {
  const old = (await listKept(context, repo, TRASH)).filter((entry) => now - entry.savedAt > TRASH_KEPT_MS);
  await deleteRefs(context, repo, old);
  return old.map((entry) => entry.ref);
}
