/** How does a worktree return to a checkpoint, with nothing of its present state lost? */
import { firstParent } from './checkpoint.ts';
import { DEADLINES_MS, type Git, git } from './git.ts';
import { GitError } from './git-error.ts';
import { rebaseProgress } from './look.ts';
import { checkpointRef, workerBranch } from './names.ts';
import { moveBranch } from './prepare.ts';
import { keepInTrash } from './remove-worktree.ts';
import { changedPaths, commitOf, isAncestor, writing } from './revisions.ts';
import { snapshot } from './snapshot.ts';
import { readStatus } from './status.ts';

/** Which checkpoint of which worker. `now` is epoch milliseconds. */
export interface RestoreRequest {
  readonly worktree: string;
  readonly worker: string;
  readonly id: string;
  readonly now: number;
}

/** What {@link restoreCheckpoint} did. The worktree is unchanged in all cases but the first. */
export type RestoreOutcome =
  /** Branch, index and files are as saved. `trash` keeps commits the branch had since. */
  | { readonly kind: 'restored'; readonly head: string; readonly trash: readonly string[] }
  | { readonly kind: 'no-such-checkpoint'; readonly ref: string }
  /** The worktree holds other uncommitted work: make a checkpoint of it and clear it, or commit it, first. */
  | { readonly kind: 'dirty'; readonly files: readonly string[] }
  | { readonly kind: 'rebase-in-progress' };

/**
 * Puts branch, index and files back as they were at a checkpoint; ignored files stay. Commits made since are kept
 * in the trash. Repeated after a crash it goes on: files that are as before or as saved are nobody's new work.
 *
 * @throws {GitError}
 */
export async function restoreCheckpoint(context: Git, request: RestoreRequest): Promise<RestoreOutcome> {
  const { worktree: at, worker, id } = request;
  const ref = checkpointRef(worker, id);
  const saved = await commitOf(context, at, ref);
  if (saved === undefined) return { kind: 'no-such-checkpoint', ref };
  const status = await readStatus(context, at);
  if (await rebaseProgress(context, at, status)) return { kind: 'rebase-in-progress' };
  const head = await firstParent(context, at, saved);
  const strangers = status.changes.length === 0 ? [] : await unknownFiles(context, request, { saved, head });
  if (strangers.length > 0) return { kind: 'dirty', files: strangers };
  const trash = await keepNewerCommits(context, request, head);
  await moveHead(context, request, head);
  await fill(context, at, { saved, head });
  return { kind: 'restored', head, trash };
}

/** Changed files that are neither as at HEAD, nor as at the checkpoint's HEAD, nor as saved. */
async function unknownFiles(
  context: Git,
  { worktree: at, id }: RestoreRequest,
  { saved, head }: { saved: string; head: string },
): Promise<string[]> {
  const { indexTree, filesTree } = await snapshot(context, at, { id: `restore-${id}`, scope: { kind: 'all' } });
  if (indexTree === undefined) return ['(unmerged files)'];
  const known = ['HEAD', head, saved];
  const indexOfSaved = await secondParent(context, at, saved);
  if (indexOfSaved) known.push(indexOfSaved);
  const found: string[] = [];
  for (const tree of new Set([indexTree, filesTree])) {
    const differences = await Promise.all(known.map(async (commit) => changedPaths(context, at, [commit, tree])));
    const [first = [], ...others] = differences;
    found.push(...first.filter((path) => others.every((paths) => paths.includes(path))));
  }
  return [...new Set(found)].sort();
}

async function secondParent(context: Git, at: string, commit: string): Promise<string | undefined> {
  const args = ['rev-parse', '--verify', '--quiet', `${commit}^2`];
  const { status, stdout } = await git(context, args, { ...writing(at, 'read the checkpoint'), allow: [1, 128] });
  return status === 0 ? stdout.trim() : undefined;
}

/** Keeps the tips of HEAD and branch that the checkpoint's HEAD does not contain. */
async function keepNewerCommits(context: Git, request: RestoreRequest, head: string): Promise<string[]> {
  const { worktree: at, worker, now } = request;
  const names = ['HEAD', `refs/heads/${workerBranch(worker)}`];
  const tips = await Promise.all(names.map((name) => commitOf(context, at, name)));
  const kept: string[] = [];
  for (const tip of new Set(tips.filter((commit) => commit !== undefined))) {
    if (await isAncestor(context, at, { ancestor: tip, descendant: head })) continue;
    kept.push(await keepInTrash(context, at, { worker, id: `restored-${tip.slice(0, 12)}`, tip, now }));
  }
  return kept;
}

/** Clears the known leftovers, then checks the worker's branch out at the checkpoint's HEAD. */
async function moveHead(context: Git, { worktree: at, worker }: RestoreRequest, head: string): Promise<void> {
  const call = { at, action: 'clear the worktree', timeoutMs: DEADLINES_MS.checkout };
  await git(context, ['reset', '--quiet', '--hard', 'HEAD'], call);
  await git(context, ['clean', '--quiet', '--force', '-d'], call);
  await moveBranch(context, { at, branch: workerBranch(worker), to: head });
}

/** Files from the checkpoint, then the index as it was: staged stays staged, untracked becomes untracked again. */
async function fill(context: Git, at: string, { saved, head }: { saved: string; head: string }): Promise<void> {
  const call = { at, action: 'bring the saved files back', timeoutMs: DEADLINES_MS.checkout };
  await git(context, ['read-tree', '--reset', '-u', saved], call);
  const index = (await secondParent(context, at, saved)) ?? head;
  await git(context, ['read-tree', index], call);
  await git(context, ['update-index', '-q', '--refresh'], { ...call, allow: [1] });
  if ((await commitOf(context, at, 'HEAD')) !== head) {
    throw new GitError('failed', `Cannot restore "${at}": HEAD moved while the files came back; repeat`);
  }
}
