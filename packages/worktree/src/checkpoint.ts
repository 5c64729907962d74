/** How is uncommitted work saved on a hidden ref, and which saves are there? */
import { type Git, git, gitText } from './git.ts';
import { GitError } from './git-error.ts';
import { existingCommit } from './look.ts';
import { CHECKPOINTS, checkpointRef, quote, workerName } from './names.ts';
import { changedPaths, commitOf, reading, writing } from './revisions.ts';
import { snapshot, writeKeptCommit } from './snapshot.ts';
import { readStatus } from './status.ts';

/**
 * Why a checkpoint was made. `set-aside` holds work that was cleared from the worktree afterwards, so retention by
 * number never drops it.
 */
export type CheckpointReason =
  | 'session_start'
  | 'stage_complete'
  | 'periodic'
  | 'before_retry'
  | 'error_recovery'
  | 'hiccup'
  | 'manual'
  | 'set-aside';

/** Which worktree is saved, under which name. `id` is the caller's and unique; `now` is epoch milliseconds. */
export interface CheckpointRequest {
  readonly worktree: string;
  readonly worker: string;
  readonly id: string;
  readonly reason: CheckpointReason;
  readonly now: number;
}

/** What {@link checkpoint} did. */
export type CheckpointOutcome =
  | { readonly kind: 'clean'; readonly head: string }
  | {
      readonly kind: 'saved';
      readonly ref: string;
      readonly commit: string;
      readonly head: string;
      readonly files: readonly string[];
    };

/** One checkpoint on its ref. */
export interface Checkpoint {
  readonly id: string;
  readonly ref: string;
  readonly commit: string;
  readonly reason: string;
  /** Epoch milliseconds. */
  readonly savedAt: number;
}

/**
 * Saves index, files and untracked files (not ignored ones) as one commit whose parents are HEAD and the index.
 * Touches neither index nor files. Repeated with the same id it finds its earlier save.
 *
 * @throws {GitError} `id-taken` when the id already names a save of other content.
 */
export async function checkpoint(context: Git, request: CheckpointRequest): Promise<CheckpointOutcome> {
  const { worktree: at, worker, id } = request;
  const ref = checkpointRef(worker, id);
  const head = await existingCommit(context, at, 'HEAD');
  const status = await readStatus(context, at);
  if (status.changes.length === 0) return { kind: 'clean', head };
  const commit = await saveWorktree(context, { ...request, head });
  await createRef(context, at, { ref, commit });
  const saved = await existingCommit(context, at, ref);
  return { kind: 'saved', ref, commit: saved, head, files: await changedPaths(context, at, [head, saved]) };
}

/** Writes the commit of {@link checkpoint} without a ref. @returns its id. */
export async function saveWorktree(
  context: Git,
  { worktree: at, id, reason, now, head }: Omit<CheckpointRequest, 'worker'> & { readonly head: string },
): Promise<string> {
  const { indexTree, filesTree } = await snapshot(context, at, { id, scope: { kind: 'all' } });
  const message = `${reason}\n\nUncommitted work saved by Drover.\n`;
  const parents = [head];
  if (indexTree !== undefined) {
    parents.push(await writeKeptCommit(context, at, { tree: indexTree, parents: [head], message: 'index\n', now }));
  }
  return writeKeptCommit(context, at, { tree: filesTree, parents, message, now });
}

/** Creates a ref that must not exist yet, or finds it with the same tree. Never overwrites. */
export async function createRef(
  context: Git,
  at: string,
  { ref, commit }: { readonly ref: string; readonly commit: string },
): Promise<void> {
  const args = ['update-ref', '--create-reflog', ref, commit, '0'.repeat(commit.length)];
  const { status, stderr } = await git(context, args, { ...writing(at, `make ${ref}`), allow: [1, 128] });
  if (status === 0) return;
  const existing = await commitOf(context, at, ref);
  if (existing === undefined) throw new GitError('failed', `Cannot make ${quote(ref)} in "${at}": ${stderr.trim()}`);
  const sameParent = (await firstParent(context, at, existing)) === (await firstParent(context, at, commit));
  if (!sameParent || (await changedPaths(context, at, [existing, commit])).length > 0) {
    throw new GitError('id-taken', `${quote(ref)} in "${at}" already keeps other work: use another id`);
  }
}

/** The first parent of a commit: for a save, the HEAD it was made at. @throws {GitError} */
export async function firstParent(context: Git, at: string, commit: string): Promise<string> {
  return gitText(context, ['rev-parse', '--verify', `${commit}^1`], reading(at, 'read what was saved'));
}

/** The checkpoints of a worker, newest first. @throws {GitError} */
export async function listCheckpoints(
  context: Git,
  { repo, worker }: { readonly repo: string; readonly worker: string },
): Promise<Checkpoint[]> {
  return listKept(context, repo, `${CHECKPOINTS}/${workerName(worker)}`);
}

/** The refs under a prefix that hold commits written by Drover, newest first. */
export async function listKept(context: Git, at: string, prefix: string): Promise<Checkpoint[]> {
  const format = '--format=%(refname)%00%(objectname)%00%(committerdate:unix)%00%(contents:subject)';
  const text = await gitText(context, ['for-each-ref', format, `${prefix}/`], reading(at, `list ${prefix}`));
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [ref = '', commit = '', seconds = '0', reason = ''] = line.split('\0');
      return { id: ref.slice(ref.lastIndexOf('/') + 1), ref, commit, reason, savedAt: Number(seconds) * 1000 };
    })
    .sort((a, b) => b.savedAt - a.savedAt || (a.id < b.id ? 1 : -1));
}

/** Checkpoints kept of one worker. Source: docs/recovery.md, "last 10 kept". */
export const CHECKPOINTS_KEPT = 10;

/**
 * Drops the oldest checkpoints beyond `keep`. Those with the reason `set-aside` are neither counted nor dropped:
 * they may be the only copy of somebody's work.
 *
 * @returns the ids dropped
 */
export async function pruneCheckpoints(
  context: Git,
  { repo, worker, keep = CHECKPOINTS_KEPT }: { readonly repo: string; readonly worker: string; readonly keep?: number },
): Promise<string[]> {
  const all = await listCheckpoints(context, { repo, worker });
  const surplus = all.filter((entry) => entry.reason !== 'set-aside').slice(keep);
  await deleteRefs(context, repo, surplus);
  return surplus.map((entry) => entry.id);
}

/** Deletes refs in one step, each only if it still holds the commit that was read. @throws {GitError} */
export async function deleteRefs(
  context: Git,
  at: string,
  refs: readonly { readonly ref: string; readonly commit: string }[],
): Promise<void> {
  if (refs.length === 0) return;
  const input = refs.map(({ ref, commit }) => `delete ${ref}\0${commit}\0`).join('');
  await git(context, ['update-ref', '--stdin', '-z'], { ...writing(at, 'delete refs'), input });
}
