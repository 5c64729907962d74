/** Saves a worker's work as it is now, to begin again from, and lists its checkpoints. */
import { readNote, type SkippedFile, writeNote } from './note.ts';
import { type Git, gitText, unconfined } from '../git/git.ts';
import { keepCheckpoint } from '../archive/keep.ts';
import { deleteRefs, type Kept, listKept } from '../git/kept-refs.ts';
import { CHECKPOINT_LIMITS, type CheckpointLimits, findOversize, isBelow } from './large-files.ts';
import { headOf } from '../worktrees/facts.ts';
import { listKeptIgnored } from '../worktrees/ignored.ts';
import { CHECKPOINTS, checkpointRef, workerBranch, workerName } from '../names.ts';
import { type Operation, operationInProgress } from '../rebase/operation.ts';
import { commitsOf, isAncestor, objectsOf, reading } from '../git/revisions.ts';
import { type Snapshot, snapshot, writeKeptCommit } from './snapshot.ts';
import { type FileChange, readStatus, type Status } from '../git/status.ts';

/** Reason of a checkpoint. `session_start` … `manual` are the policy's; their meaning is in docs/recovery-reference.md, checkpoints. */
type CheckpointReason =
  | 'session_start'
  | 'stage_complete'
  | 'periodic'
  | 'before_retry'
  | 'error_recovery'
  | 'hiccup'
  | 'manual';

/** Worktree to save, and the name of the checkpoint. `id` is the caller's and unique; `now` is epoch milliseconds. */
interface CheckpointRequest {
  readonly worktree: string;
  readonly archive: string;
  readonly worker: string;
  readonly id: string;
  readonly reason: CheckpointReason;
  /** Reason for people to read. */
  readonly why: string;
  readonly now: number;
  readonly limits?: CheckpointLimits;
}

/** Outcome of {@link checkpoint}. `dirty` counts the changed files, and the ignored ones that are kept; `during` is the git operation under way. */
export interface CheckpointOutcome {
  /** `unchanged`: the last checkpoint, whose commit this is, holds the same; nothing was written. */
  readonly kind: 'saved' | 'unchanged';
  readonly commit: string;
  readonly head: string;
  readonly dirty: number;
  readonly skipped: readonly SkippedFile[];
  readonly during: Operation | undefined;
}

/**
 * Keeps HEAD, index and files (staged, unstaged, untracked; ignored ones where `keep` names them) as one commit on
 * `refs/drover/checkpoints/<worker>/<id>` of the archive. Its parents are HEAD, the index, and whatever else the worktree would forget.
 * Touches neither HEAD, index nor files. Files and directories beyond the limits, and
 * what git cannot read, are skipped and named.
 * Submodules and repositories inside the worktree are kept as the commit that they have checked out.
 *
 * Repeated with the same id it answers what it saved the first time. A `periodic` one is `unchanged` when the newest
 * checkpoint holds the same.
 *
 * @throws {GitError}
 */
export async function checkpoint(context: Git, request: CheckpointRequest): Promise<CheckpointOutcome> {
  const { worktree: at, archive, worker, id, limits = CHECKPOINT_LIMITS } = request;
  const ref = checkpointRef(worker, id);
  const status = await readStatus(context, at);
  const head = headOf(status, at);
  const { changes } = status;
  const branchRef = `refs/heads/${workerBranch(context, worker)}`;
  const [earlier, known] = await commitsOf(unconfined(context), archive, [ref, branchRef]);
  const [headTree] = await objectsOf(context, at, [`${head}^{tree}`]);
  const { large, except, also } = await choose(context, at, { changes, limits });
  const dirty = changes.length + also.length;
  if (earlier !== undefined) return answer(context, request, { kind: 'saved', commit: earlier, dirty });
  const taken =
    headTree !== undefined && also.length === 0 && (await isAsCommitted(context, at, status))
      ? { indexTree: headTree, filesTree: headTree, left: [] }
      : await snapshot(context, at, { id, scope: { kind: 'readable', except, also } });
  const last = request.reason === 'periodic' ? await newest(context, archive, worker) : undefined;
  if (last !== undefined && (await holds(context, archive, { last, head, taken }))) {
    return answer(context, request, { kind: 'unchanged', commit: last, dirty });
  }
  const skipped = [
    ...large.map((path) => ({ path, why: 'too-large' as const })),
    ...taken.left.map(({ path }) => ({ path, why: 'unreadable' as const })),
  ];
  const during = await operationInProgress(context, at);
  const commit = await keep(context, {
    ...request,
    head,
    taken,
    during,
    message: writeNote(request.reason, { why: request.why, skipped, during }),
  });
  const isMoved = status.branch === workerBranch(context, worker) && known !== head;
  const branch = isMoved ? { worker, tip: head } : null;
  await keepCheckpoint(context, archive, { from: `${at}/.git`, ref, commit, branch });
  return { kind: 'saved', commit, head, dirty, skipped, during };
}

/** Paths of a save: `large` ones are left, `except` those of them that git would add, and `also` are ignored ones that count as work. */
interface Choice {
  readonly large: readonly string[];
  readonly except: readonly string[];
  readonly also: readonly string[];
}

async function choose(
  context: Git,
  at: string,
  { changes, limits }: { readonly changes: readonly FileChange[]; readonly limits: CheckpointLimits },
): Promise<Choice> {
  const ignored = await listKeptIgnored(context, at);
  const over = await findOversize(context.files, { at, changes: [...changes, ...ignored], limits });
  const large = [...over.directories, ...over.files];
  const left = new Set(large);
  const also = ignored.map(({ path }) => path).filter((path) => !left.has(path) && !isBelow(path, left));
  if (ignored.length === 0) return { large, except: large, also };
  // Git refuses to leave out what it ignores.
  const isIgnored = new Set(ignored.map(({ path }) => path));
  const except = [
    ...over.directories.filter((directory) => changes.some(({ path }) => path.startsWith(`${directory}/`))),
    ...over.files.filter((path) => !isIgnored.has(path)),
  ];
  return { large, except, also };
}

/**
 * Tells whether index and files are what HEAD has, so that its tree stands for both. A status does not show a
 * submodule at another commit where `.gitmodules` says to ignore it.
 */
async function isAsCommitted({ files }: Git, at: string, { changes }: Status): Promise<boolean> {
  return changes.length === 0 && (await files.stat(`${at}/.gitmodules`)) === undefined;
}

/** State to keep as one commit. */
interface StateToKeep {
  readonly worktree: string;
  readonly worker: string;
  readonly head: string;
  readonly taken: Snapshot;
  readonly during: Operation | undefined;
  readonly message: string;
  readonly now: number;
}

/** Writes the commit of a checkpoint without a ref. @returns its id. @throws {GitError} */
export async function keep(context: Git, state: StateToKeep): Promise<string> {
  const { worktree: at, head, taken, message, now } = state;
  const index = { tree: taken.indexTree ?? `${head}^{tree}`, parents: [head], message: 'index\n', now };
  const parents = [head, await writeKeptCommit(context, at, index), ...(await otherTips(context, state))];
  return writeKeptCommit(context, at, { tree: taken.filesTree, parents, message, now });
}

/** Commits that HEAD does not lead to: of the worker's branch, and from before an operation in progress. */
async function otherTips(context: Git, { worktree: at, worker, head, during }: StateToKeep): Promise<string[]> {
  const names = [
    `refs/heads/${workerBranch(context, worker)}`,
    ...(during?.before === undefined ? [] : [during.before]),
  ];
  const tips: string[] = [];
  for (const tip of new Set(await commitsOf(context, at, names))) {
    if (tip === undefined || tip === head) continue;
    if (!(await isAncestor(context, at, { ancestor: tip, descendant: head }))) tips.push(tip);
  }
  return tips;
}

async function newest(context: Git, archive: string, worker: string): Promise<string | undefined> {
  const all = await listCheckpoints(context, { archive, worker });
  return all.find(({ reason }) => reason !== 'set-aside')?.commit;
}

/** Tells whether a checkpoint has this HEAD, this index and these files. */
async function holds(
  context: Git,
  archive: string,
  { last, head, taken }: { last: string; head: string; taken: Snapshot },
): Promise<boolean> {
  const parts = [`${last}^1`, `${last}^2^{tree}`, `${last}^{tree}`];
  const [itsHead, itsIndex, itsFiles] = await objectsOf(unconfined(context), archive, parts);
  return itsHead === head && itsIndex === taken.indexTree && itsFiles === taken.filesTree;
}

async function answer(
  context: Git,
  { archive }: CheckpointRequest,
  { kind, commit, dirty }: { kind: CheckpointOutcome['kind']; commit: string; dirty: number },
): Promise<CheckpointOutcome> {
  const { head, note } = await readKept(unconfined(context), archive, commit);
  return { kind, commit, head, dirty, skipped: note.skipped, during: note.during };
}

/** Reads a checkpoint's commit: the HEAD and the index that it was made of, and its note. @throws {GitError} */
export async function readKept(
  context: Git,
  at: string,
  commit: string,
): Promise<{ readonly head: string; readonly index: string; readonly note: ReturnType<typeof readNote> }> {
  const args = ['log', '-1', '--no-show-signature', '--format=%P%n%B', commit, '--'];
  const text = await gitText(context, args, reading(at, 'read the checkpoint'));
  const [parents = '', ...message] = text.split('\n');
  const [head = '', index = head] = parents.split(' ');
  return { head, index, note: readNote(message.join('\n')) };
}

/** Lists the checkpoints of a worker and the work that was set aside for it, newest first. @throws {GitError} */
export async function listCheckpoints(
  context: Git,
  { archive, worker }: { readonly archive: string; readonly worker: string },
): Promise<Kept[]> {
  return listKept(unconfined(context), archive, `${CHECKPOINTS}/${workerName(worker)}`);
}

/**
 * Drops these checkpoints of a worker. Work that was set aside is never dropped.
 *
 * @returns the ids that were there. @throws {GitError}
 */
export async function dropCheckpoints(
  context: Git,
  { archive, worker, ids }: { readonly archive: string; readonly worker: string; readonly ids: readonly string[] },
): Promise<string[]> {
  const all = await listCheckpoints(context, { archive, worker });
  const gone = all.filter((entry) => entry.reason !== 'set-aside' && ids.includes(entry.id));
  await deleteRefs(unconfined(context), archive, gone);
  return gone.map((entry) => entry.id);
}
