/**
 * Hands accepted work over as a branch of its own, where the default branch takes no pushes: people merge it there. A branch that Drover
 * did not push itself is never moved.
 */
import { type Git, git, gitText } from '../git/git.ts';
import { GitError } from '../git/git-error.ts';
import { bringContent } from '../content/bring.ts';
import type { ContentOrigin, Lacking } from '../content/origin.ts';
import { isAncestor } from '../git/revisions.ts';
import { quote, refComponent, workerBranch, workerName } from '../names.ts';
import { syncMain, withDepot } from './depot.ts';
import { type Depot, type DepotPlace, depotOf, inDepot } from './place.ts';
import { type Place, placeOfBranches, pushBranch, readBranch } from './targets/branches.ts';

/** Candidate of the depot, its inputs, and the commit of main that it is based on. */
interface OfferRequest {
  readonly worker: string;
  /** The task, in letters, digits and dashes: no two tasks of a project have the same. */
  readonly task: string;
  readonly head: string;
  readonly base: string;
  readonly commit: string;
  /** Source of the content that Git LFS keeps of the new files. */
  readonly content?: ContentOrigin;
}

/** Outcome of {@link offer}. */
type OfferOutcome =
  /** The branch is at the commit. `isAsked`: people were asked before to merge this branch. */
  | { readonly kind: 'offered'; readonly branch: string; readonly isAsked: boolean }
  /** Main contains the commit: there is nothing to hand over any more. */
  | { readonly kind: 'merged' }
  | Lacking
  /** The target does not take it, in its own words or in Drover's. */
  | { readonly kind: 'refused'; readonly words: string };

/** Offers a commit as a branch. Safe to repeat. @throws {GitError} `not-a-descendant`: nothing was done. */
export async function offer(context: Git, place: DepotPlace, request: OfferRequest): Promise<OfferOutcome> {
  return withDepot(context, place, async (depot) => {
    const { worker, task, base, commit } = request;
    if (!(await isAncestor(depot.git, depot.at, { ancestor: base, descendant: commit })))
      throw new GitError('not-a-descendant', `${commit} does not stand on ${base}: make the candidate again`);
    const main = await syncMain(depot);
    if (await isAncestor(depot.git, depot.at, { ancestor: commit, descendant: main })) return { kind: 'merged' };
    const branch = branchOf(context, worker, task);
    const target = placeOfBranches(place.target);
    if (target === undefined) return { kind: 'refused', words: ELSEWHERE };
    const there = await readBranch(depot, target, branch);
    const isAsked = (await offeredRefs(depot, [askedRef(worker, task)])).length > 0;
    if (there === commit) return { kind: 'offered', branch, isAsked };
    if (there !== undefined && (await offeredRefs(depot, [offeredRef(worker, there)])).length === 0)
      return { kind: 'refused', words: notOurs(target, { branch, there }) };
    const lacking = await bringContent(context, depot, request);
    if (lacking !== undefined) return lacking;
    // Notes the commit before the push: so a push whose answer is lost is known for Drover's own.
    const input = `update ${offeredRef(worker, commit)}\0${request.head}\0\0update ${keptRef(worker, commit)}\0${commit}\0\0`;
    await git(depot.git, ['update-ref', '--stdin', '-z'], { ...inDepot(depot, 'record what is published'), input });
    const refused = await pushBranch(depot, target, { branch, commit, expected: there });
    return refused ?? { kind: 'offered', branch, isAsked };
  });
}

/** Remembers that people were asked to merge the branch of this task. @throws {GitError} */
export async function noteAsked(
  context: Git,
  place: DepotPlace,
  { worker, task, commit }: Pick<OfferRequest, 'worker' | 'task' | 'commit'>,
): Promise<void> {
  await withDepot(context, place, async (depot) => {
    await git(depot.git, ['update-ref', askedRef(worker, task), commit], inDepot(depot, 'note who was asked'));
  });
}

/** The message of a commit of the depot, for a request: its first line, and the rest. @throws {GitError} */
export async function commitMessage(
  context: Git,
  place: DepotPlace,
  commit: string,
): Promise<{ readonly title: string; readonly body: string }> {
  const call = inDepot({ git: context, at: depotOf(place), place }, 'read the message');
  const text = await gitText(context, ['show', '--no-patch', '--format=%s%x00%b', commit, '--'], call);
  const [title = '', body = ''] = text.split('\0');
  return { title, body: body.trim() };
}

/**
 * Tells whether people merged what was handed over of this commit, as it was or squashed: main contains it, or a
 * commit with the very same change. @throws {GitError}
 */
export async function isOfferMerged(
  depot: Depot,
  { worker, head, base }: { readonly worker: string; readonly head: string; readonly base: string },
): Promise<boolean> {
  for (const ref of await offeredRefs(depot, [offeredRefsOf(worker)], head)) {
    const commit = ref.slice(ref.lastIndexOf('/') + 1);
    if (await isAncestor(depot.git, depot.at, { ancestor: commit, descendant: base })) return true;
    // Line for the commit: "-" where another commit of main makes the same change.
    const lines = await gitText(
      depot.git,
      ['cherry', base, commit, `${commit}^`],
      inDepot(depot, 'look for it in the default branch'),
    );
    if (lines.startsWith('-')) return true;
  }
  return false;
}

/** Forgets the offers of a worker's work. */
export async function forgetOffers(depot: Depot, worker: string): Promise<void> {
  const name = workerName(worker);
  const refs = await offeredRefs(depot, [offeredRefsOf(worker), `${ASKED}/${name}`, `${KEPT}/${name}`]);
  if (refs.length === 0) return;
  const input = refs.map((ref) => `delete ${ref}\0\0`).join('');
  await git(depot.git, ['update-ref', '--stdin', '-z'], { ...inDepot(depot, 'remove what was published'), input });
}

/** Prefix of refs that are each named by a commit that Drover pushed, or was about to, and hold the worker's commit that it was made of. */
const OFFERED = 'refs/drover/offered';
/** Prefix of the refs for tasks whose branch people were asked to merge. */
const ASKED = 'refs/drover/asked';

/** Prefix of refs that each keep an offered commit: people may merge it after weeks, when the candidate is another one. */
const KEPT = 'refs/drover/offered-commits';

function keptRef(worker: string, commit: string): string {
  return `${KEPT}/${workerName(worker)}/${refComponent(commit)}`;
}

function offeredRefsOf(worker: string): string {
  return `${OFFERED}/${workerName(worker)}`;
}

function offeredRef(worker: string, commit: string): string {
  return `${offeredRefsOf(worker)}/${refComponent(commit)}`;
}

function askedRef(worker: string, task: string): string {
  return `${ASKED}/${workerName(worker)}/${refComponent(task)}`;
}

/** Characters of a task's id in a branch: the whole would be hard to read. */
const TASK_CHARS = 8;

function branchOf(context: Git, worker: string, task: string): string {
  return `${workerBranch(context, worker)}-${refComponent(task).slice(0, TASK_CHARS).toLowerCase()}`;
}

async function offeredRefs(depot: Depot, prefixes: readonly string[], head?: string): Promise<readonly string[]> {
  const points = head === undefined ? [] : [`--points-at=${head}`];
  const args = ['for-each-ref', '--format=%(refname)', ...points, '--', ...prefixes];
  const text = await gitText(depot.git, args, inDepot(depot, 'look for what was published'));
  return text.split('\n').filter((line) => line !== '');
}

const ELSEWHERE =
  'the repository of this project is a directory on another machine, and Drover publishes branches only from there: give repo.source an address that both machines reach';

function notOurs({ address }: Place, { branch, there }: { readonly branch: string; readonly there: string }): string {
  return `${quote(address)} has a branch "${branch}" at ${there}, which Drover did not push: delete or rename it there`;
}
