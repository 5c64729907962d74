/** The trash of a project: work that a person wanted removed, or that was merged in another form, for 14 days. */
import { keepIn } from '../archive/keep.ts';
import { writeKeptCommit } from '../checkpoint/snapshot.ts';
import { type Git, unconfined } from '../git/git.ts';
import { deleteRefs, listKept } from '../git/kept-refs.ts';
import { TRASH, trashRef, workerName } from '../names.ts';
import { asideSince } from './beside.ts';

/** Days, as milliseconds, that trash is kept. Source: docs/git.md, "What it never does". */
export const TRASH_KEPT_MS = 14 * 24 * 60 * 60 * 1000;

/** Commits to keep together. */
interface Trash {
  /** Repository that has them: a worker's place, or the archive. */
  readonly from: string;
  readonly worker: string;
  readonly id: string;
  /** Commit whose files are shown; the others come along with their history. */
  readonly tip: string;
  readonly others?: readonly string[];
  /** Reason for people to read. */
  readonly why?: string;
  readonly now: number;
}

/** Keeps commits and their history in the trash. Repeating it changes nothing. @returns the ref. @throws {GitError} */
export async function keepInTrash(
  context: Git,
  archive: string,
  { from, worker, id, tip, others = [], why = 'Kept by Drover for 14 days.', now }: Trash,
): Promise<string> {
  const kept = { tree: `${tip}^{tree}`, parents: [tip, ...others], message: `trash\n\n${why}\n`, now };
  const ref = trashRef(worker, id);
  const commit = await writeKeptCommit(from === archive ? unconfined(context) : context, from, kept);
  await keepIn(context, archive, { from: from === archive ? archive : `${from}/.git`, ref, commit });
  return ref;
}

/** Lists what the trash holds of a worker, newest first; of one deletion when `id` is given. */
export async function listTrash(
  context: Git,
  { archive, worker, id }: { readonly archive: string; readonly worker: string; readonly id?: string },
): Promise<{ readonly ref: string; readonly commit: string; readonly deletedAt: number }[]> {
  const kept = await listKept(unconfined(context), archive, `${TRASH}/${workerName(worker)}`);
  return kept
    .filter((entry) => id === undefined || entry.id.startsWith(`${id}-`))
    .map(({ ref, commit, savedAt }) => ({ ref, commit, deletedAt: savedAt }));
}

/** Drops trash older than 14 days in all workers' names, and places that were put aside. @returns refs and directories. */
export async function pruneTrash(
  context: Git,
  { archive, root, now }: { readonly archive: string; readonly root: string; readonly now: number },
): Promise<string[]> {
  const own = unconfined(context);
  const old = (await listKept(own, archive, TRASH)).filter((entry) => now - entry.savedAt > TRASH_KEPT_MS);
  await deleteRefs(own, archive, old);
  const home = `${root}/.worktrees`;
  const aside = (await context.files.list(home)).filter((name) => now - (asideSince(name) ?? now) > TRASH_KEPT_MS);
  const paths = aside.map((name) => `${home}/${name}`);
  const gone: string[] = [];
  // Leaves a directory that this user cannot remove, and goes on with the others.
  for (const path of paths)
    await context.files.rm(path).then(
      () => gone.push(path),
      () => {},
    );
  return [...old.map((entry) => entry.ref), ...gone];
}
