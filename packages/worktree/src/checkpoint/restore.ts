/** Returns a worktree to a checkpoint, with nothing of its present state lost. */
import { keep, readKept } from './checkpoint.ts';
import { writeNote } from './note.ts';
import { DEADLINES_MS, type Git, git, gitText, unconfined } from '../git/git.ts';
import { verifyCheckpoint } from './inspect.ts';
import { bringFromArchive, keepBranch, keepIn } from '../archive/keep.ts';
import { keptOn } from '../git/kept-refs.ts';
import { existingCommit } from '../worktrees/facts.ts';
import { checkpointRef, workerBranch } from '../names.ts';
import { type Operation, operationInProgress, quitOperations } from '../rebase/operation.ts';
import { addedPaths, commitOf, gitPaths, isAncestor, writing } from '../git/revisions.ts';
import { saveRefs, saveUnderFreeId, SET_ASIDE, treeOf } from './set-aside.ts';
import { type Snapshot, snapshot } from './snapshot.ts';

/**
 * Checkpoint to restore, and the worktree that takes it: its worker's own, a new one, or another worker's. The present
 * content is saved as `saveAs`. `now` is epoch milliseconds.
 */
interface RestoreRequest {
  readonly worktree: string;
  readonly archive: string;
  /** Worker of the worktree; its branch is moved. */
  readonly worker: string;
  /** The commit of a checkpoint, which the archive has. */
  readonly commit: string;
  readonly saveAs: string;
  readonly now: number;
}

/** Outcome of {@link restoreCheckpoint}. The worktree is unchanged in all cases but the first. */
export type RestoreOutcome =
  | {
      readonly kind: 'restored';
      readonly head: string;
      /** Refs that keep the previous content; none when that held nothing of its own. */
      readonly saved: readonly string[];
      /**
       * The operation that git was in the middle of. The branch is where it was before it began, without uncommitted
       * work; how far it had come stands in the checkpoint.
       */
      readonly before: Operation | undefined;
    }
  /** The checkpoint, or a part of it, is not in the archive. */
  | { readonly kind: 'damaged'; readonly why: string }
  /** Files that cannot be read, and so not saved, stand where the checkpoint has others. */
  | { readonly kind: 'in-the-way'; readonly files: readonly string[] };

/** State to reach: a commit for HEAD, a tree for the index and one for the files. */
interface Target {
  readonly head: string;
  readonly index: string;
  readonly files: string;
  readonly skipped: readonly string[];
}

/**
 * Puts branch, index and files back as they were at a checkpoint. Staged work is staged again, untracked files are
 * untracked again. Files that do not differ are not touched, and neither are ignored ones, those that the checkpoint
 * skipped, and the inside of submodules. A repeated call after a crash saves what it finds once more, and goes on.
 *
 * @throws {GitError}
 */
export async function restoreCheckpoint(context: Git, request: RestoreRequest): Promise<RestoreOutcome> {
  const { worktree: at, archive, worker, commit } = request;
  const verified = await verifyCheckpoint(unconfined(context), { path: archive, commit });
  if (verified.kind === 'damaged') return verified;
  await bringFromArchive(context, at, { archive, commit });
  const { target, before } = await targetOf(context, at, commit);
  for (let pass = 0; pass < PASSES_MAX; pass += 1) {
    const present = await takePresent(context, request, target);
    if (present.kind === 'in-the-way') return present;
    if ((await bringBack(context, request, { taken: present.taken, target })) === 'done') break;
  }
  await keepBranch(context, archive, { from: at, worker, tip: target.head });
  const saves = await keptOn(unconfined(context), archive, saveRefs(worker, request.saveAs));
  return { kind: 'restored', head: target.head, saved: saves.map(({ ref }) => ref), before };
}

/** A second pass takes the files away that only the rules of the present ignored; there is no third reason. */
const PASSES_MAX = 3;

/** @returns `more` when files have come to light that the checkpoint has not. */
async function bringBack(
  context: Git,
  request: RestoreRequest,
  { taken, target }: { taken: Snapshot; target: Target },
): Promise<'done' | 'more'> {
  const { worktree: at } = request;
  await savePresent(context, request, { taken, target });
  await quitOperations(context, at);
  await moveHead(context, request, target.head);
  const strangers = await fill(context, at, { present: taken.filesTree, target });
  return strangers.some((path) => taken.left.every((left) => left.path !== path)) ? 'more' : 'done';
}

async function targetOf(
  context: Git,
  at: string,
  commit: string,
): Promise<{ readonly target: Target; readonly before: Operation | undefined }> {
  const { head, index, note } = await readKept(context, at, commit);
  if (note.during === undefined) {
    const skipped = note.skipped.map(({ path }) => path);
    const [indexTree, files] = [await treeOf(context, at, index), await treeOf(context, at, commit)];
    return { target: { head, index: indexTree, files, skipped }, before: undefined };
  }
  const safe = note.during.before ?? head;
  const tree = await treeOf(context, at, safe);
  return { target: { head: safe, index: tree, files: tree, skipped: [] }, before: note.during };
}

/** The worktree as it is now, with whatever the checkpoint would overwrite: also ignored files. */
async function takePresent(
  context: Git,
  { worktree: at, saveAs }: RestoreRequest,
  target: Target,
): Promise<{ readonly kind: 'taken'; readonly taken: Snapshot } | Extract<RestoreOutcome, { kind: 'in-the-way' }>> {
  const id = `present-${saveAs}`.slice(0, 64);
  const first = await snapshot(context, at, { id, scope: { kind: 'readable', except: [], also: [] } });
  const missing = await addedPaths(context, at, [first.filesTree, target.files]);
  const also = await standing(context, at, missing);
  const taken =
    also.length === 0 ? first : await snapshot(context, at, { id, scope: { kind: 'readable', except: [], also } });
  const files = taken.left.filter(
    ({ path, kind }) => kind === 'tracked' || missing.some((wanted) => meet(wanted, path)),
  );
  if (files.length > 0) return { kind: 'in-the-way', files: files.map(({ path }) => path) };
  return { kind: 'taken', taken };
}

/** Tells whether one path is the other, or lies in it. */
function meet(one: string, other: string): boolean {
  return one === other || one.startsWith(`${other}/`) || other.startsWith(`${one}/`);
}

/** Lists what is on the disk where paths are to come, or where one of their directories is to come. */
async function standing(context: Git, at: string, paths: readonly string[]): Promise<string[]> {
  const found = new Set<string>();
  for (const path of paths) {
    for (let end = path.indexOf('/'); ; end = path.indexOf('/', end + 1)) {
      const part = end < 0 ? path : path.slice(0, end);
      const facts = await context.files.stat(`${at}/${part}`);
      if (facts === undefined) break;
      if (facts.kind !== 'directory' || part === path) {
        found.add(part);
        break;
      }
    }
  }
  return [...found];
}

/** Saves the present state, unless it is the one that is wanted, or holds nothing that is not kept elsewhere. */
async function savePresent(
  context: Git,
  request: RestoreRequest,
  { taken, target }: { taken: Snapshot; target: Target },
): Promise<void> {
  const { worktree: at, archive, worker, now } = request;
  const head = await existingCommit(context, at, 'HEAD');
  const during = await operationInProgress(context, at);
  const clean = taken.filesTree === (await treeOf(context, at, head)) && taken.filesTree === taken.indexTree;
  const asWanted = taken.filesTree === target.files && taken.indexTree === target.index;
  const branch = await commitOf(context, at, `refs/heads/${workerBranch(context, worker)}`);
  const headKept = await isAncestor(context, at, { ancestor: head, descendant: target.head });
  const branchKept =
    branch === undefined || (await isAncestor(context, at, { ancestor: branch, descendant: target.head }));
  if (during === undefined && headKept && branchKept && (clean || asWanted)) return;
  const message = writeNote(SET_ASIDE, { why: 'what was there before a checkpoint was restored', skipped: [], during });
  const commit = await keep(context, { worktree: at, worker, head, taken, during, message, now });
  await saveUnderFreeId(request.saveAs, (id) =>
    keepIn(context, archive, { from: `${at}/.git`, ref: checkpointRef(worker, id), commit }),
  );
}

/** HEAD names the worker's branch, and the branch the commit; index and files stay. */
async function moveHead(context: Git, { worktree: at, worker }: RestoreRequest, head: string): Promise<void> {
  const branch = `refs/heads/${workerBranch(context, worker)}`;
  await git(context, ['symbolic-ref', '-m', 'drover: restore', 'HEAD', branch], writing(at, 'return to the branch'));
  const args = ['update-ref', '-m', 'drover: restore', '--create-reflog', branch, head];
  await git(context, args, writing(at, 'bring the branch back'));
}

/**
 * Moves from the present files to those of the checkpoint, touching only what differs; then restores the index.
 *
 * @returns files that are not ignored and not of the checkpoint.
 */
async function fill(
  context: Git,
  at: string,
  { present, target }: { present: string; target: Target },
): Promise<string[]> {
  const call = { at, action: 'bring the saved files back', timeoutMs: DEADLINES_MS.checkout };
  const files = await withSkipped(context, at, { present, target });
  const plain = ['read-tree', '--no-recurse-submodules'];
  const refresh = async (): Promise<void> => {
    await git(context, ['update-index', '-q', '--refresh'], { ...call, allow: [1] });
  };
  await git(context, [...plain, '--reset', present], call);
  await refresh();
  await git(context, [...plain, '--reset', '-u', present, files], call);
  const strangers = await git(context, ['ls-files', '-z', '--others', '--exclude-standard'], { ...call, reads: true });
  await git(context, [...plain, '--reset', target.index], call);
  await refresh();
  return strangers.stdout.split('\0').flatMap((path) => (path === '' ? [] : [path.replace(/\/$/, '')]));
}

/** Adds the files that the checkpoint skipped, as they are now, to the wanted files. */
async function withSkipped(
  context: Git,
  at: string,
  { present, target }: { present: string; target: Target },
): Promise<string> {
  if (target.skipped.length === 0) return target.files;
  const [directory = ''] = await gitPaths(context, at, ['drover']);
  const copy = `${directory}/index-skipped`;
  const call = { ...writing(at, 'keep the skipped files'), env: { GIT_INDEX_FILE: copy } };
  await context.files.rm(copy);
  try {
    await git(context, ['read-tree', target.files], call);
    const { stdout } = await git(
      context,
      ['ls-tree', '-r', '-z', '--full-tree', present, '--', ...target.skipped],
      call,
    );
    const absent = target.skipped.filter((path) => !stdout.includes(`\t${path}\0`));
    const gone = absent.map((path) => `0 ${'0'.repeat(present.length)}\t${path}\0`).join('');
    await git(context, ['update-index', '-z', '--index-info'], { ...call, input: `${gone}${stdout}` });
    return await gitText(context, ['write-tree'], call);
  } finally {
    await context.files.rm(copy);
  }
}
