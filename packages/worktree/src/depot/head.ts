/** Brings a worker's commit from its clone into the depot, and what reviews read there. */
import { type Git, git } from '../git/git.ts';
import { GitError } from '../git/git-error.ts';
import { readFileAt } from '../git/revisions.ts';
import { safeDirectory } from '../names.ts';
import { syncMain, withDepot } from './depot.ts';
import { forgetOffers } from './offer.ts';
import { type Depot, type DepotPlace, FETCH, idsOf, inDepot, mainRef, reviewRef } from './place.ts';
import { carrierOf } from './targets/carrier-of.ts';

/** A commit of a worker, by its full id. */
export interface WorkOfWorker {
  readonly worker: string;
  /** The worker's place, which has the commit. */
  readonly clone: string;
  readonly head: string;
}

const OBJECT_ID = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/u;

/**
 * Settings for the check of incoming objects. Git takes every object apart on its way in. Findings listed here are
 * mere warnings to git, and have no place in work.
 */
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
  checkId(head);
  const [kept] = await idsOf(depot, [reviewRef(worker)]);
  if (kept !== head) await fetchHead(depot, { worker, clone, head });
}

/** @throws {GitError} `bad-name`. */
export function checkId(head: string): void {
  if (!OBJECT_ID.test(head)) throw new GitError('bad-name', `"${head}" is not the full id of a commit`);
}

async function fetchHead(depot: Depot, { worker, clone, head }: WorkOfWorker): Promise<void> {
  const from = `${safeDirectory(clone)}/.git`;
  const call = inDepot(depot, `bring the work of "${worker}" into the depot`);
  const args = [...FETCH, from, `+${head}:${reviewRef(worker)}`];
  await git(depot.git, args, { ...call, config: [...(call.config ?? []), ...FSCK] });
  const [kept] = await idsOf(depot, [reviewRef(worker)]);
  // Git leaves it out, and reports no error, where the clone cuts off a history that the depot lacks.
  if (kept !== head)
    throw new GitError(
      'incomplete',
      `"${clone}" has only a part of its history, as after "git fetch --depth": run "git fetch --unshallow" there`,
    );
}

/** The commits at which main and the worker's review ref are in the depot; undefined where there is none. */
interface Seen {
  readonly main: string | undefined;
  readonly kept: string | undefined;
}

/** Brings main, which is at `base`, and the work into the depot, as far as they are not there. @throws {GitError} */
export async function bringMissing(
  depot: Depot,
  work: WorkOfWorker,
  { base, seen }: { readonly base: string; readonly seen: Seen },
): Promise<void> {
  const carrier = carrierOf(depot.git, depot.place.target);
  // Leaves whatever comes to main in the meantime for the next time.
  if (seen.main !== base) await carrier.fetchMain(depot, { isFirst: seen.main === undefined });
  if (seen.kept !== work.head) await fetchHead(depot, work);
}

/** Reads main and the worker's review ref in the depot, with one process. @throws {GitError} */
export async function seenInDepot(depot: Depot, worker: string): Promise<Seen> {
  const [main, kept] = await idsOf(depot, [mainRef(depot.place), reviewRef(worker)]);
  return { main, kept };
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
    await git(depot.git, ['update-ref', '-d', reviewRef(worker)], inDepot(depot, 'forget what was reviewed'));
    await forgetOffers(depot, worker);
  });
}
