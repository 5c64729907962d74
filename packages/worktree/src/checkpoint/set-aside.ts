/** Saves uncommitted work before it is cleared from a worktree: whole, or not at all. */
import { keepIn } from '../archive/keep.ts';
import { type Git, gitText, unconfined } from '../git/git.ts';
import { GitError } from '../git/git-error.ts';
import { existingCommit, headOf } from '../worktrees/facts.ts';
import { checkpointRef } from '../names.ts';
import { changedPaths, reading } from '../git/revisions.ts';
import { snapshot, writeKeptCommit } from './snapshot.ts';
import { readStatus } from '../git/status.ts';

/** Worktree to save, and the name of the save. `id` is the caller's and unique; `now` is epoch milliseconds. */
interface SetAsideRequest {
  readonly worktree: string;
  readonly archive: string;
  readonly worker: string;
  readonly id: string;
  readonly now: number;
}

/** Subject of work that was set aside. Retention by number never drops such work: it may be the only copy of somebody's work. */
export const SET_ASIDE = 'set-aside';

/** Outcome of {@link setAside}. */
export type SetAsideOutcome =
  | { readonly kind: 'clean'; readonly head: string }
  | {
      readonly kind: 'saved';
      readonly ref: string;
      readonly commit: string;
      readonly head: string;
      readonly files: readonly string[];
    };

/**
 * Saves index, files and untracked files (not ignored ones) as one commit whose parents are HEAD and the index.
 * Touches neither index nor files. Repeated with the same id it finds its earlier save.
 *
 * @throws {GitError} `id-taken` when the id already names a save of other content; any other when not all could be saved.
 */
export async function setAside(context: Git, request: SetAsideRequest): Promise<SetAsideOutcome> {
  const { worktree: at, archive, worker, id, now } = request;
  const ref = checkpointRef(worker, id);
  const status = await readStatus(context, at);
  const head = headOf(status, at);
  if (status.changes.length === 0) return { kind: 'clean', head };
  const commit = await saveWorktree(context, { worktree: at, id, now, head });
  await keepIn(context, archive, { from: `${at}/.git`, ref, commit });
  const own = unconfined(context);
  const saved = await existingCommit(own, archive, ref);
  return { kind: 'saved', ref, commit: saved, head, files: await changedPaths(own, archive, [head, saved]) };
}

/** Writes the commit of {@link setAside} without a ref. @returns its id. @throws {GitError} */
export async function saveWorktree(
  context: Git,
  { worktree: at, id, now, head }: Omit<SetAsideRequest, 'worker' | 'archive'> & { readonly head: string },
): Promise<string> {
  const { indexTree, filesTree } = await snapshot(context, at, { id, scope: { kind: 'all' } });
  const message = `${SET_ASIDE}\n\nUncommitted work saved by Drover.\n`;
  const parents = [head];
  if (indexTree !== undefined) {
    parents.push(await writeKeptCommit(context, at, { tree: indexTree, parents: [head], message: 'index\n', now }));
  }
  return writeKeptCommit(context, at, { tree: filesTree, parents, message, now });
}

/** Attempts to save under one id: a crash while clearing leaves other content than was saved before. */
const SAVES_MAX = 5;

/** An id, and those that its repeated attempts use. */
function saveIds(id: string): string[] {
  return [id, ...Array.from({ length: SAVES_MAX - 1 }, (_, count) => `${id}-try${count + 2}`)];
}

/** Saves under the first of {@link saveIds} that is free or keeps the same. @throws {GitError} `id-taken` when none is. */
export async function saveUnderFreeId<T>(id: string, save: (id: string) => Promise<T>): Promise<T> {
  for (const candidate of saveIds(id)) {
    try {
      return await save(candidate);
    } catch (error) {
      if (!(error instanceof GitError) || error.code !== 'id-taken') throw error;
    }
  }
  throw new GitError('id-taken', `Cannot save work: all saves of "${id}" are taken; use another id`);
}

/** The refs that the saves of an id may have, the newest last. @throws {GitError} `bad-name`. */
export function saveRefs(worker: string, id: string): string[] {
  return saveIds(id).map((candidate) => checkpointRef(worker, candidate));
}

/** The tree of a commit. @throws {GitError} */
export async function treeOf(context: Git, at: string, commit: string): Promise<string> {
  return gitText(context, ['rev-parse', '--verify', `${commit}^{tree}`], reading(at, 'read what was saved'));
}
