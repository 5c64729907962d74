/** Removes a worker's place so that nothing of its work is lost. */
import type { CheckpointLimits } from '../checkpoint/large-files.ts';
import { aheadBehind, commitOf } from '../git/revisions.ts';
import { deleteRefs } from '../git/kept-refs.ts';
import { type Git, unconfined } from '../git/git.ts';
import { GitError } from '../git/git-error.ts';
import { readStatus } from '../git/status.ts';
import { workerBranch } from '../names.ts';
import { type Losses, findLosses, isNothing } from './losses.ts';
import { keepLosses } from './keep-losses.ts';
import { listKeptIgnored } from './ignored.ts';
import { listMoved, moveContent, moveLarge } from './move-large.ts';
import { keepInTrash, listTrash } from './trash.ts';
import { asideOf, unfinishedOf } from './beside.ts';
import { resolved } from './worktrees.ts';

/** Place to remove. */
interface RemoveRequest {
  readonly archive: string;
  readonly path: string;
  readonly worker: string;
  /** The commit of the default branch that must hold the work. */
  readonly base: string;
  /** Names what goes to the trash, `refs/drover/trash/<worker>/<id>…`; unique. `now` is epoch milliseconds. */
  readonly id: string;
  readonly now: number;
  /** A person wants it removed whatever is there: all of it goes to the trash, for 14 days. */
  readonly force: boolean;
  /** Limits of the files that are written into git; the rest is moved beside the place. */
  readonly limits?: CheckpointLimits | undefined;
}

/** Outcome of {@link removeWorktree}. */
export type RemoveOutcome =
  /** `trash` keeps what was in no other place. */
  | { readonly kind: 'removed'; readonly trash: readonly string[] }
  | { readonly kind: 'absent' }
  /** Refused, with all that would be lost. */
  | { readonly kind: 'would-lose'; readonly losses: Losses }
  /** Git cannot read the place, so that nothing in it can be kept: it was left alone. */
  | { readonly kind: 'unreadable'; readonly message: string };

/**
 * Removes a worker's place and its branch. Without `force` only when the default branch holds all of its work. Commits
 * that nothing names any more, such as an amended one, go to the trash in any case. A place without `.git` is kept
 * aside whole, by force alone.
 *
 * @throws {GitError}
 */
export async function removeWorktree(context: Git, request: RemoveRequest): Promise<RemoveOutcome> {
  const { archive, worker, id } = request;
  const own = unconfined(context);
  const path = await resolved(context, request.path);
  const ref = `refs/heads/${workerBranch(context, worker)}`;
  const known = await commitOf(own, archive, ref);
  const isThere = (await context.files.stat(path)) !== undefined;
  if (!isThere && known === undefined) return { kind: 'absent' };
  const emptied = isThere ? await empty(context, { ...request, path }) : { kind: 'emptied' as const, aside: [] };
  if (emptied.kind !== 'emptied') return emptied;
  if (known !== undefined) {
    const { ahead } = await aheadBehind(own, archive, { base: request.base, tip: known });
    if (ahead > 0 && !isThere && !request.force)
      return { kind: 'would-lose', losses: { ...NOTHING, commits: [known] } };
    if (ahead > 0)
      await keepInTrash(context, archive, { ...request, from: archive, id: `${id}-${known.slice(0, 12)}`, tip: known });
    await deleteRefs(own, archive, [{ ref, commit: known }]);
  }
  const trash = (await listTrash(context, { archive, worker, id })).map((entry) => entry.ref);
  return { kind: 'removed', trash: [...trash, ...emptied.aside] };
}

const NOTHING: Losses = { files: [], ignored: [], commits: [], others: [], unnamed: [] };

type Emptied =
  /** `aside` are directories that keep what git does not: the whole place, or files that are too large. */
  | { readonly kind: 'emptied'; readonly aside: readonly string[] }
  | Extract<RemoveOutcome, { kind: 'would-lose' | 'unreadable' }>;

/** Keeps the losses of the place, and removes the place. */
async function empty(context: Git, request: RemoveRequest): Promise<Emptied> {
  const { path, force } = request;
  try {
    const losses = await findLosses(context, request);
    if (!force && !isNothing(losses)) return { kind: 'would-lose', losses };
    if (losses.files.length > 0 || losses.ignored.length > 0) {
      const { changes } = await readStatus(context, path);
      const ignored = await listKeptIgnored(context, path);
      await moveLarge(context, { ...request, worktree: path, changes: [...changes, ...ignored] });
    }
    // Leaves out files that were just moved beside the place.
    const ignored = (await listKeptIgnored(context, path)).map((change) => change.path);
    await keepLosses(context, { ...request, losses: { ...losses, ignored } });
    const repositories = losses.others.flatMap((one) => (one.kind === 'repository' ? [one.path] : []));
    await moveContent(context, { ...request, worktree: path, repositories });
  } catch (error) {
    if (!(error instanceof GitError) || !ABOUT_PLACE.has(error.code)) throw error;
    if (!force) return { kind: 'unreadable', message: error.message };
    const aside = asideOf(path, request.now);
    await context.files.rename(path, aside);
    return { kind: 'emptied', aside: [aside] };
  }
  const going = unfinishedOf(path);
  await context.files.rm(going);
  // Renames in one step: the rest that a crash leaves is no place of a worker any more.
  await context.files.rename(path, going);
  const left = await removeOrPutAside(context, going, asideOf(path, request.now));
  const moved = await listMoved(context, { worktree: path, id: request.id });
  return { kind: 'emptied', aside: [...left, ...moved] };
}

/**
 * Removes the directory or puts it aside: files that this user cannot remove, such as those that a container made as
 * root, must not stand in the way of the next place. @returns where it is.
 */
async function removeOrPutAside({ files }: Git, path: string, aside: string): Promise<readonly string[]> {
  try {
    await files.rm(path);
    return [];
  } catch {
    await files.rename(path, aside);
    return [aside];
  }
}

/** Errors by which git says that it cannot read the place. */
const ABOUT_PLACE: ReadonlySet<GitError['code']> = new Set([
  'not-a-repository',
  'unknown-revision',
  'no-permission',
  'failed',
  'id-taken',
]);
