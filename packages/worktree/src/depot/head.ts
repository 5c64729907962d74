/** Brings a worker's commit from the project's clone into the depot, and what reviews read there. */
import { type Git, git } from '../git/git.ts';
import { GitError } from '../git/git-error.ts';
import { readFileAt } from '../git/revisions.ts';
import { together } from '../git/together.ts';
import { safeDirectory } from '../names.ts';
import { syncMain, withDepot } from './depot.ts';
import { forgetOffers } from './offer.ts';
import { type Depot, type DepotPlace, FETCH, candidateRef, idsOf, inDepot, mainRef, reviewRef } from './place.ts';
import { carrierOf } from './targets/carrier-of.ts';

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
  checkId(head);
  const [kept] = await idsOf(depot, [reviewRef(worker)]);
  if (kept !== head) await fetchHead(depot, { worker, clone, head });
}

function checkId(head: string): void {
  if (!OBJECT_ID.test(head)) throw new GitError('bad-name', `"${head}" is not the full id of a commit`);
}

async function fetchHead(depot: Depot, { worker, clone, head }: WorkOfWorker): Promise<void> {
  const from = `${safeDirectory(clone)}/.git`;
  const call = inDepot(depot, `bring the work of "${worker}" into the depot`);
  const args = [...FETCH, from, `+${head}:${reviewRef(worker)}`];
  await git(depot.git, args, { ...call, config: [...(call.config ?? []), ...FSCK] });
}

/** The newest main and a worker's commit, both in the depot now. */
interface Brought {
  readonly base: string;
  readonly baseTree: string | undefined;
  readonly headTree: string | undefined;
  /** The worker's newest candidate. */
  readonly candidate: string | undefined;
}

/** As {@link syncMain} and {@link bringHead}, in fewer processes: work that waits asks this each time main moves. @throws {GitError} */
export async function bringWork(depot: Depot, work: WorkOfWorker): Promise<Brought> {
  const { worker, head } = work;
  checkId(head);
  const carrier = carrierOf(depot.git, depot.place.target);
  const main = mainRef(depot.place);
  const names = [`${main}^{tree}`, `${head}^{tree}`, candidateRef(worker), main, reviewRef(worker)];
  const [base, seen] = await together([carrier.readMain(), idsOf(depot, names)]);
  const [here, kept] = seen.slice(3);
  if (here !== base) await carrier.fetchMain(depot, { isFirst: here === undefined });
  if (kept !== head) await fetchHead(depot, work);
  const isComplete = here === base && kept === head;
  // Whatever came to main in the meantime is for the next time.
  const found = isComplete ? seen : await idsOf(depot, [`${base}^{tree}`, ...names.slice(1, 3)]);
  const [baseTree, headTree, candidate] = found;
  return { base, baseTree, headTree, candidate };
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
    const { base } = await bringWork(depot, work);
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
