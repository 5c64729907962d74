/** Brings a candidate into the target's main, and proves that it is there. */
import type { Git } from '../git/git.ts';
import { GitError } from '../git/git-error.ts';
import { isAncestor } from '../git/revisions.ts';
import { syncMain, withDepot } from './depot.ts';
import type { DepotPlace } from './place.ts';
import type { PublishOutcome, PublishRequest } from './targets/outcome.ts';
import { carrierOf } from './targets/carrier-of.ts';

/**
 * Moves main from `base` to `commit` in one compare-and-swap. A repeated call after a crash finds the commit in main,
 * and finishes the rest. `context` decides whether hooks of the target run.
 *
 * @throws {GitError} `not-a-descendant` when the commit is not on top of its base: nothing was done.
 */
export async function publish(context: Git, place: DepotPlace, request: PublishRequest): Promise<PublishOutcome> {
  return withDepot(context, place, async (depot) => {
    const { base, commit } = request;
    if (!(await isAncestor(depot.git, depot.at, { ancestor: base, descendant: commit })))
      throw new GitError('not-a-descendant', `${commit} does not stand on ${base}: make the candidate again`);
    return carrierOf(context, place.target).publish(depot, request);
  });
}

/** Proof that the target's main holds the commit, or does not. `tip` is that branch now. */
export type MergeProof =
  | { readonly kind: 'merged'; readonly commit: string; readonly tip: string }
  | { readonly kind: 'not-merged'; readonly commit: string; readonly tip: string };

/** Asks the target itself. @throws {GitError} */
export async function prove(context: Git, place: DepotPlace, commit: string): Promise<MergeProof> {
  const now = await carrierOf(context, place.target).readMain();
  if (now === commit) return { kind: 'merged', commit, tip: now };
  return withDepot(context, place, async (depot) => {
    const tip = await syncMain(depot);
    const isIn = await isAncestor(depot.git, depot.at, { ancestor: commit, descendant: tip });
    return { kind: isIn ? 'merged' : 'not-merged', commit, tip };
  });
}
