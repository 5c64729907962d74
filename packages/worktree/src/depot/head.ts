/** Brings a worker's commit from the project's clone into the depot, and what reviews read there. */
import { type Git, git } from '../git/git.ts';
import { GitError } from '../git/git-error.ts';
import { readFileAt } from '../git/revisions.ts';
import { safeDirectory } from '../names.ts';
import { syncMain, withDepot } from './depot.ts';
import { forgetOffers } from './offer.ts';
import { type Depot, type DepotPlace, FETCH, candidateRef, idsOf, inDepot, reviewRef } from './place.ts';

/** A commit of a worker, by its full id. */
export interface WorkOfWorker {
  readonly worker: string;
  /** The project's clone, which has the commit. */
  readonly clone: string;
  readonly head: string;
}

const OBJECT_ID = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/u;

/** Git takes every object apart on its way in. These are mere warnings to it, and have no place in work. */
const FSCK = [
  'transfer.fsckObjects=true',
  ...['hasDot', 'hasDotdot', 'hasDotgit', 'fullPathname', 'emptyName', 'nullSha1'].map(
    (name) => `fetch.fsck.${name}=error`,
  ),
];

/**
 * Makes the depot have the commit with all of its history, kept by the worker's review ref. The bytes count by their ids: the
 * clone, which agents write, only delivers them.
 *
 * @throws {GitError} `bad-name` unless head is a full id; `failed` with git's words for objects that are not sound.
 */
export async function bringHead(depot: Depot, { worker, clone, head }: WorkOfWorker): Promise<void> {
  if (!OBJECT_ID.test(head)) throw new GitError('bad-name', `"${head}" is not the full id of a commit`);
  const ref = reviewRef(worker);
  const [kept] = await idsOf(depot, [ref]);
  if (kept === head) return;
  const from = `${safeDirectory(clone)}/.git`;
  const call = inDepot(depot, `bring the work of "${worker}" into the depot`);
  await git(depot.git, [...FETCH, from, `+${head}:${ref}`], { ...call, config: [...(call.config ?? []), ...FSCK] });
}

/** What a review compares, by ids in the depot, which has no names for a reader to trust. */
interface ShownWork {
  /** The depot's bare repository. */
  readonly at: string;
  readonly base: string;
  readonly head: string;
}

/** Brings a worker's work and the newest main into the depot, for `diff`, `stat` and `commits`. @throws {GitError} */
export async function bringForReview(context: Git, place: DepotPlace, work: WorkOfWorker): Promise<ShownWork> {
  return withDepot(context, place, async (depot) => {
    const base = await syncMain(depot);
    await bringHead(depot, work);
    return { at: depot.at, base, head: work.head };
  });
}

/** A file as the newest main has it; undefined when it has no such file. @throws {GitError} `output-too-large`. */
export async function readOnMain(
  context: Git,
  place: DepotPlace,
  file: { readonly path: string; readonly maxBytes: number },
): Promise<string | undefined> {
  return withDepot(context, place, async (depot) =>
    readFileAt(depot.git, { ...file, at: depot.at, commit: await syncMain(depot) }),
  );
}

/** Forgets what the depot keeps of a worker. Its work is in main, or in its clone. @throws {GitError} */
export async function forgetWork(context: Git, place: DepotPlace, worker: string): Promise<void> {
  await withDepot(context, place, async (depot) => {
    const input = [reviewRef(worker), candidateRef(worker)].map((ref) => `delete ${ref}\0\0`).join('');
    await git(depot.git, ['update-ref', '--stdin', '-z'], { ...inDepot(depot, 'forget what was reviewed'), input });
    await forgetOffers(depot, worker);
  });
}
