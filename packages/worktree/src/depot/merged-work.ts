/**
 * Merges a worker's work into the newest main, in as few processes as it takes: work that waits asks this each time main moves, and most
 * of the time goes into starting programs. While the target is asked for its main, the depot merges what it has; that counts
 * where the depot has the newest of both.
 */
import { git } from '../git/git.ts';
import { GitError } from '../git/git-error.ts';
import { together } from '../git/together.ts';
import { OWN_COMMIT, type OwnCommit, formatOf, ownCommitOf, recordsOf } from '../rebase/squash.ts';
import { droppedFrom } from './former-mains.ts';
import { type WorkOfWorker, bringMissing, checkId, seenInDepot } from './head.ts';
import { mergeTrees, mergeWithoutFiles } from './merge.ts';
import type { MergeRequest, Merged } from './merge-in-files.ts';
import { type Depot, inDepot, mainRef, reviewRef } from './place.ts';
import { carrierOf } from './targets/carrier-of.ts';

/** Main and the work, and what their merge gives. Ids are full. */
interface MergedWork extends Standing {
  readonly base: string;
  readonly merged: Merged;
}

/** Work on a commit that main does not hold any more: their merge would bring that back. */
interface WorkOnDropped {
  readonly base: string;
  readonly dropped: string;
}

/** Work, and commits that main was at, as far as that is known. */
interface WorkOnMain extends WorkOfWorker {
  readonly mains: readonly (string | null | undefined)[];
}

/** State of main and of the work on it, as the depot has them. */
interface Standing {
  /** Commits of the two as they were read. */
  readonly main: string | undefined;
  readonly head: string | undefined;
  readonly baseTree: string;
  readonly headTree: string;
  /** The commits that main has not, oldest first. */
  readonly commits: readonly OwnCommit[];
  /** Newest commit that both have, where it is plain to see: all of the work is based on it alone. */
  readonly parted: string | undefined;
}

/** Brings main and head into the depot and merges them there. @throws {GitError} */
export async function mergeNewest(depot: Depot, work: WorkOnMain): Promise<MergedWork | WorkOnDropped> {
  const { worker, head, mains } = work;
  checkId(head);
  const main = carrierOf(depot.git, depot.place.target).readMain();
  const [base, ready] = await together([main, mergeWhatIsThere(depot, worker)]);
  if (ready !== undefined && ready.main === base && ready.head === head) {
    const known = mains.filter((commit) => commit !== ready.parted);
    const dropped = await droppedFrom(depot, { base, head, known });
    return dropped === undefined ? { ...ready, base } : { base, dropped };
  }
  const seen = ready?.head === undefined ? await seenInDepot(depot, worker) : { main: ready.main, kept: ready.head };
  await bringMissing(depot, work, { base, seen });
  const request = { base, head };
  // First, because git refuses to merge where the whole history was rewritten.
  const dropped = await droppedFrom(depot, { ...request, known: mains });
  if (dropped !== undefined) return { base, dropped };
  const [merged, standing] = await together([mergeTrees(depot, request), readStanding(depot, request)]);
  if (standing === undefined) throw new GitError('unknown-revision', `The depot has no commit ${base} or ${head}`);
  return { ...standing, base, merged };
}

/** @returns undefined where the depot lacks one of the two, or git cannot merge them: the caller finds out why. */
async function mergeWhatIsThere(
  depot: Depot,
  worker: string,
): Promise<(Standing & { readonly merged: Merged }) | undefined> {
  const refs = { base: mainRef(depot.place), head: reviewRef(worker) };
  try {
    const [merged, standing] = await together([mergeWithoutFiles(depot, refs), readStanding(depot, refs)]);
    return merged === undefined || standing === undefined ? undefined : { ...standing, merged };
  } catch (error) {
    if (error instanceof GitError && MAY_BE_MISSING.has(error.code)) return undefined;
    throw error;
  }
}

const MAY_BE_MISSING: ReadonlySet<GitError['code']> = new Set(['failed', 'unknown-revision', 'not-a-repository']);

const FORMAT = formatOf(['%H', '%T', '%P', '%S', ...OWN_COMMIT]);

/**
 * Reads main, the work and its commits. Git names for each commit which of the two names led to it.
 * @returns undefined where one of the two is not there.
 */
async function readStanding(depot: Depot, { base, head }: MergeRequest): Promise<Standing | undefined> {
  // Reads that one commit of main: its parents are left out, with all that they stand on.
  const args = ['log', '--reverse', '--topo-order', FORMAT, base, head, '--not', `${base}^@`, '--'];
  const call = { ...inDepot(depot, 'read the commits'), reads: true, allow: [128] };
  const { status, stdout } = await git(depot.git, args, call);
  if (status !== 0) return undefined;
  const found = recordsOf(stdout).map(([id = '', tree = '', parents = '', name = '', ...fields]) => {
    return { id, tree, parents: parents.split(' ').filter(Boolean), name, commit: ownCommitOf(fields) };
  });
  const main = found.find(({ name }) => name === base);
  const own = found.filter(({ name }) => name === head);
  // Tip of the work, as commits come oldest first: the last of them is the work itself. Undefined where main has all of
  // it.
  const tip = own.at(-1);
  const ids = new Set(own.map(({ id }) => id));
  const below = new Set(own.flatMap(({ parents }) => parents.filter((parent) => !ids.has(parent))));
  const [parted] = below;
  return {
    main: main?.id,
    head: tip?.id,
    baseTree: main?.tree ?? '',
    headTree: tip?.tree ?? '',
    commits: own.map(({ commit }) => commit),
    parted: below.size === 1 ? parted : undefined,
  };
}
