/** Serves the other machines on the machine that main is on: it has the repository, and all care for the files in it. */
import type { Git } from '../git/git.ts';
import { GitError } from '../git/git-error.ts';
import { isAncestor } from '../git/revisions.ts';
import { pack } from '../parcel/pack.ts';
import { holdsContent, keepContent, storeOfRepository } from '../content/store.ts';
import type { Host } from '@drover/host';
import { type Identity, readIdentity } from '../project/identity.ts';
import { together } from '../git/together.ts';
import { syncMain, withDepot } from './depot.ts';
import type { DepotPlace, Target } from './place.ts';
import type { PublishOutcome, PublishRequest } from './targets/outcome.ts';
import type { ParcelFile } from './targets/ports.ts';
import { sourceCarrier } from './targets/source.ts';
import { type Arrived, forgetCarried, takeIn } from './targets/take-in.ts';

/** Place of a request to the home, about the main of the home's own repository. */
type SourcePlace = DepotPlace & { readonly target: Extract<Target, { kind: 'source' }> };

/** Reads, on the home, the commit of main, the format of ids, and the identity of commits there. @throws {GitError} */
export async function readHome(
  context: Git,
  { target }: SourcePlace,
): Promise<{ commit: string; format: string; identity: Identity }> {
  const carrier = sourceCarrier(context, target);
  const [commit, format, identity] = await together([
    carrier.readMain(),
    carrier.objectFormat(),
    readIdentity(context, target.source),
  ]);
  return { commit, format, identity };
}

/** Packs main on the home, as it is or was a moment ago. */
export async function packHome(
  context: Git,
  place: SourcePlace,
  {
    sha256Of,
    ...request
  }: Omit<Parameters<typeof pack>[1], 'repo' | 'refs'> & { readonly commit: string; readonly sha256Of: Host['sha256'] },
): ReturnType<typeof pack> {
  const at = await withDepot(context, place, async (depot) => {
    const main = await syncMain(depot);
    const isMain = await isAncestor(depot.git, depot.at, { ancestor: request.commit, descendant: main });
    if (isMain) return depot.at;
    throw new GitError('unknown-revision', `Main no longer contains ${request.commit}: ask for its present commit`);
  });
  const refs = [{ name: 'work', commit: request.commit }];
  return pack({ ...context, hooks: false }, { ...request, repo: at, refs }, sha256Of);
}

/** Takes the parcel of another machine on the home, and moves main from `base` to its commit as for work of its own. @throws {GitError} */
export async function publishHome(
  context: Git,
  place: SourcePlace,
  { request, ...work }: Omit<Arrived, 'commit'> & { readonly request: PublishRequest },
): Promise<PublishOutcome | { readonly kind: 'incomplete' }> {
  return withDepot(context, place, async (depot) => {
    await syncMain(depot);
    const { base, commit } = request;
    const taken = await takeIn(depot, { ...work, commit });
    if (taken.kind === 'incomplete') return { kind: 'incomplete' };
    if (taken.kind === 'damaged') throw new GitError('failed', `The parcel of the work is not sound: ${taken.why}`);
    if (!(await isAncestor(depot.git, depot.at, { ancestor: base, descendant: commit })))
      throw new GitError('not-a-descendant', `${commit} does not stand on ${base}: make the candidate again`);
    const outcome = await sourceCarrier(context, place.target).publish(depot, request);
    await forgetCarried(depot);
    return outcome;
  });
}

/** Keeps, on the home, the content of a Git LFS file, if the content matches its name. @throws {GitError} */
export async function keepAtHome(
  context: Git,
  { target }: SourcePlace,
  { file, sha256Of }: { readonly file: ParcelFile; readonly sha256Of: Host['sha256'] },
): Promise<void> {
  const { path: from, ...content } = file;
  const store = await storeOfRepository(context, target.source);
  if (await keepContent(context.files, { from, store, content }, sha256Of)) return;
  throw new GitError('failed', `The received content is not ${content.sha256} with ${content.bytes} bytes`);
}

/** Tells whether the home has that content already. @throws {GitError} */
export async function hasAtHome(
  context: Git,
  { target }: SourcePlace,
  content: Omit<ParcelFile, 'path'>,
): Promise<boolean> {
  return holdsContent(context.files, await storeOfRepository(context, target.source), content);
}

/** Finishes, on the home, a publication that was cut off. @throws {GitError} */
export async function settleHome(context: Git, place: SourcePlace): Promise<void> {
  await withDepot(context, place, async (depot) => {
    await sourceCarrier(context, place.target).settle();
    await forgetCarried(depot);
  });
}
