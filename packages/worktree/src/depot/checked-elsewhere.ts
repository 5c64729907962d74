/** A candidate goes to the depot of another machine, where the project has its merges checked. */
import { neededContent } from '../content/needed.ts';
import type { Git } from '../git/git.ts';
import { GitError } from '../git/git-error.ts';
import { type PackOutcome, type PackRequest, pack } from '../parcel/pack.ts';
import type { Host } from '@drover/host';
import { syncMain, withDepot } from './depot.ts';
import { type DepotPlace, depotOf, idsOf, mainRef } from './place.ts';
import { type Arrived, forgetCarried, takeIn } from './targets/take-in.ts';

interface ToBeChecked extends Pick<PackRequest, 'spool' | 'id' | 'maxBytes'> {
  /** A commit of the depot. */
  readonly commit: string;
  /** The other machine lacks what main has here. */
  readonly isWhole: boolean;
  readonly sha256Of: Host['sha256'];
}

/** `contained`: main has it, so the other machine gets it from there. `content`: it needs files that Git LFS keeps on this machine. */
type PackedForChecks = PackOutcome | { readonly kind: 'content'; readonly path: string };

/** Packs the commit for a depot that has the main of this one. @throws {GitError} */
export async function packForChecks(
  context: Git,
  place: DepotPlace,
  { commit, isWhole, sha256Of, ...request }: ToBeChecked,
): Promise<PackedForChecks> {
  const found = await withDepot(context, place, async (depot) => {
    const [main] = await idsOf(depot, [mainRef(place)]);
    if (main === undefined) throw new GitError('unknown-revision', 'The depot has no main');
    return { main, needed: await neededContent(depot, { base: main, commit }) };
  });
  const [content] = found.needed;
  if (content !== undefined) return { kind: 'content', path: content.path };
  const not = isWhole ? [] : [found.main];
  const refs = [{ name: 'work', commit }];
  return pack({ ...context, hooks: false }, { ...request, repo: depotOf(place), refs, not }, sha256Of);
}

/** Takes the parcel on the machine that checks, after main, on which it builds. Without one the commit is in main. @throws {GitError} */
export async function takeForChecks(
  context: Git,
  place: DepotPlace,
  { commit, arrived }: { readonly commit: string; readonly arrived: Omit<Arrived, 'commit'> | null },
): Promise<Awaited<ReturnType<typeof takeIn>> | { readonly kind: 'known' }> {
  return withDepot(context, place, async (depot) => {
    await syncMain(depot);
    if (arrived !== null) return takeIn(depot, { ...arrived, commit });
    const [known] = await idsOf(depot, [`${commit}^{commit}`]);
    if (known === commit) return { kind: 'known' };
    throw new GitError('unknown-revision', `Main does not contain ${commit}`);
  });
}

/** Forgets what came: its checks are over. @throws {GitError} */
export async function forgetChecked(context: Git, place: DepotPlace): Promise<void> {
  await withDepot(context, place, forgetCarried);
}
