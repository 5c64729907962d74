/** Gets a worktree ready for a new task, with nothing in it lost. */
import { keepBranch, keepIn } from '../archive/keep.ts';
import { firstParent, keptOn } from '../git/kept-refs.ts';
import { DEADLINES_MS, type Git, type GitCall, git, unconfined } from '../git/git.ts';
import { type SupplyReport, supply } from './supply.ts';
import { type RebaseProgress, rebaseProgress } from './facts.ts';
import { checkpointRef } from '../names.ts';
import { retryLocked } from '../git/retry-locked.ts';
import { aheadBehind, changedPaths, commitsOf, isAncestor } from '../git/revisions.ts';
import { writeKeptCommit } from '../checkpoint/snapshot.ts';
import { type SetAsideOutcome, saveRefs, saveUnderFreeId, setAside } from '../checkpoint/set-aside.ts';
import { showHidden } from '../git/hidden.ts';
import { type FileChange, readStatus } from '../git/status.ts';
import type { CheckpointLimits } from '../checkpoint/large-files.ts';
import { readTidied } from '../submodules/tidy.ts';
import { insideRefs, setInsideAside } from './inside-aside.ts';
import { listMoved, moveLarge } from './move-large.ts';

/** A worktree and what it is to become. `id` names the checkpoint; unique per task. `now` is epoch milliseconds. */
interface PrepareRequest {
  readonly worktree: string;
  readonly archive: string;
  readonly worker: string;
  readonly branch: string;
  readonly source: string;
  /** The commit from which the task begins: the newest one of the default branch, which is in the depot. */
  readonly base: string;
  /** The commit of existing work on which its branch begins instead, which is in the depot too. */
  readonly start?: string | undefined;
  /** Globs of ignored files in the source that a build needs. */
  readonly copyFiles: readonly string[];
  /** Commits that are not in the default branch: `refuse` to go on, or `set-aside` on a checkpoint ref. */
  readonly commits: 'refuse' | 'set-aside';
  readonly id: string;
  readonly now: number;
  /** Limits of the uncommitted work that is written into git; the rest is moved beside the worktree. */
  readonly limits?: CheckpointLimits | undefined;
}

/** Saved work: refs that hold it, and the files of uncommitted work. */
interface SetAside {
  readonly uncommitted: readonly Extract<SetAsideOutcome, { kind: 'saved' }>[];
  /** Refs that keep commits which are not in the default branch. */
  readonly commits: readonly string[];
  /** Refs that keep submodules with work in them. */
  readonly inside: readonly string[];
  /** Directories beside the place, with files that are too large for git, and repositories of the agent's own. */
  readonly large: readonly string[];
}

/** Outcome of {@link prepareForTask}. */
type PrepareOutcome =
  | {
      readonly kind: 'prepared';
      readonly head: string;
      readonly setAside: SetAside;
      readonly supplies: SupplyReport;
    }
  /** The branch has commits of its own and the request said `refuse`. Nothing was changed. */
  | { readonly kind: 'has-commits'; readonly ahead: number; readonly head: string }
  /** Not clean: something that git cannot save is still there, such as a submodule at a commit that nobody has. */
  | { readonly kind: 'not-clean'; readonly files: readonly FileChange[]; readonly setAside: SetAside };

/**
 * Brings a worktree to `base`. Uncommitted work is saved first and reported, never discarded; files too large for git
 * are moved beside it. A repeated call after a crash finds what it saved and goes on.
 *
 * @throws {GitError} before anything is cleared when the work cannot be saved whole.
 */
export async function prepareForTask(context: Git, request: PrepareRequest): Promise<PrepareOutcome> {
  const { worktree: at, branch, base, start = base } = request;
  const found = await readForMove(context, { at, to: start });
  const rebase = await rebaseProgress(context, at, found);
  const tips = await ownTips(context, request, rebase);
  if (tips.length > 0 && request.commits === 'refuse') {
    const tip = tips[0] ?? base;
    return { kind: 'has-commits', head: tip, ...(await aheadBehind(context, at, { base, tip })) };
  }
  const isClear = found.changes.length === 0 && rebase === undefined;
  if (!isClear) {
    await moveLarge(context, { ...request, changes: found.changes });
    await saveUncommitted(context, request);
  }
  for (const [index, tip] of tips.entries()) await saveTip(context, { request, tip, index });
  await (isClear ? settle(context, at) : clear(context, at, rebase));
  if (!isClear) await clearInside(context, request);
  const cleared = isClear ? found : await readStatus(context, at);
  if (cleared.changes.length > 0)
    return { kind: 'not-clean', files: cleared.changes, setAside: await readSetAside(context, request) };
  const isThere = cleared.head === start && cleared.branch === branch;
  if (!isThere) {
    await moveBranch(context, { at, branch, to: start, force: cleared.converted.length > 0 });
    // Git leaves a repository where former commits had a pointer to it.
    await clearInside(context, request);
  }
  await keepBranch(context, request.archive, { from: null, worker: request.worker, tip: start });
  const supplies = await supply(context, { source: request.source, worktree: at, patterns: request.copyFiles });
  return { kind: 'prepared', head: start, setAside: await readSetAside(context, request), supplies };
}

/** Reads the changes that would be written over on the way to that commit, also where git was told not to look at them. */
async function readForMove(
  context: Git,
  { at, to }: { readonly at: string; readonly to: string },
): ReturnType<typeof readTidied> {
  const found = await readTidied(context, at);
  const isDirty = found.changes.length > 0;
  if (found.head === undefined || (!isDirty && found.head === to)) return found;
  return (await showHidden(context, at, isDirty ? undefined : to)) ? readTidied(context, at) : found;
}

/** Sets repositories inside of the place aside, if they are all that is left there. */
async function clearInside(context: Git, request: PrepareRequest): Promise<void> {
  const { changes } = await readTidied(context, request.worktree);
  if (changes.length > 0) await setInsideAside(context, { ...request, changes });
}

/** The tips that would be forgotten: HEAD, the worker's branch, and the old place of a rebase in progress. */
async function ownTips(
  context: Git,
  { worktree: at, branch, base, start = base }: PrepareRequest,
  rebase: RebaseProgress | undefined,
): Promise<string[]> {
  const names = ['HEAD', `refs/heads/${branch}`, ...(rebase?.originalHead ? [rebase.originalHead] : [])];
  const commits = await commitsOf(context, at, names);
  const own: string[] = [];
  for (const tip of new Set(commits.filter((commit) => commit !== undefined))) {
    if (tip === base || tip === start) continue;
    const isIn = start !== base && (await isAncestor(context, at, { ancestor: tip, descendant: start }));
    if (!isIn && (await aheadBehind(context, at, { base, tip })).ahead > 0) own.push(tip);
  }
  return own;
}

/** Saves under the first free id: a crash while clearing leaves other content than was saved before. */
async function saveUncommitted(context: Git, { worktree, archive, worker, id, now }: PrepareRequest): Promise<void> {
  await saveUnderFreeId(id, (candidate) => setAside(context, { worktree, archive, worker, id: candidate, now }));
}

async function saveTip(
  context: Git,
  { request, tip, index }: { request: PrepareRequest; tip: string; index: number },
): Promise<void> {
  const message = 'set-aside\n\nCommits set aside by Drover before a new task.\n';
  const kept = { tree: `${tip}^{tree}`, parents: [tip], message, now: request.now };
  const commit = await writeKeptCommit(context, request.worktree, kept);
  await keepIn(context, request.archive, { from: `${request.worktree}/.git`, ref: tipRef(request, index), commit });
}

function tipRef({ worker, id }: PrepareRequest, index: number): string {
  return checkpointRef(worker, `${id}-commits${index}`);
}

/** Clears a worktree whose content has been saved, but for repositories inside of it (`clean` without `-ff`). */
async function clear(context: Git, at: string, rebase: RebaseProgress | undefined): Promise<void> {
  if (rebase) await git(context, ['rebase', '--quit'], clearing(at));
  await git(context, ['reset', '--quiet', '--hard', 'HEAD'], clearing(at));
  await git(context, ['clean', '--quiet', '--force', '-d'], clearing(at));
}

/**
 * Ends a merge that is under way in a worktree where no file differs, and meets a lock that a dead program left: the
 * agent would meet it otherwise, with its work done. Writes that somebody makes at this moment stay (`--merge`),
 * because nothing was saved.
 */
async function settle(context: Git, at: string): Promise<void> {
  await git(context, ['reset', '--quiet', '--merge', 'HEAD'], clearing(at));
}

function clearing(at: string): GitCall {
  return { at, action: 'clear the saved worktree', timeoutMs: DEADLINES_MS.checkout };
}

/** Reads the refs of this id, so that a repeated call reports what its first half saved. */
async function readSetAside(context: Git, request: PrepareRequest): Promise<SetAside> {
  const { archive, worker, id } = request;
  const own = unconfined(context);
  const tips = [0, 1, 2].map((index) => tipRef(request, index));
  const saves = saveRefs(worker, id);
  const within = insideRefs(worker, id);
  const kept = await keptOn(own, archive, [...tips, ...saves, ...within]);
  const uncommitted: Extract<SetAsideOutcome, { kind: 'saved' }>[] = [];
  for (const { ref, commit } of kept.filter(({ ref }) => saves.includes(ref))) {
    const head = await firstParent(own, archive, commit);
    uncommitted.push({ kind: 'saved', ref, commit, head, files: await changedPaths(own, archive, [head, commit]) });
  }
  const isKept = (wanted: string): boolean => kept.some(({ ref }) => ref === wanted);
  const commits = tips.filter(isKept);
  return { uncommitted, commits, inside: within.filter(isKept), large: await listMoved(context, request) };
}

/** Checks out the branch at a commit in a clean worktree, from wherever HEAD is. @throws {GitError} */
export async function moveBranch(
  context: Git,
  {
    at,
    branch,
    to,
    force,
  }: { readonly at: string; readonly branch: string; readonly to: string; readonly force: boolean },
): Promise<void> {
  const call = { at, action: `bring "${branch}" to ${to}`, timeoutMs: DEADLINES_MS.checkout };
  const args = ['checkout', '--quiet', ...(force ? ['--force'] : []), '--no-track', '-B', branch, to, '--'];
  await retryLocked(() => git(context, args, call));
}
