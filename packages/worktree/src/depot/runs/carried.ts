/** Carries commits of runs between the depots of machines: the sender gives what it keeps for a run, the receiver keeps it, too. */
import type { Host } from '@drover/host';
import { neededContent } from '../../content/needed.ts';
import { type Git, gitText } from '../../git/git.ts';
import { GitError } from '../../git/git-error.ts';
import { refComponent } from '../../names.ts';
import { pack } from '../../parcel/pack.ts';
import { withDepot } from '../depot.ts';
import { checkId } from '../head.ts';
import { depotOf, type DepotPlace, idsOf, inDepot, mainRef } from '../place.ts';
import { type Arrived, forgetCarried, takeIn } from '../targets/take-in.ts';
import { pin, RUNS } from './runs.ts';

/**
 * Tells what a parcel with the commit may leave out, the newest first, and whether it is the first of its run here; null: the depot has the
 * commit. @throws {GitError}
 */
export async function lackedByRun(
  context: Git,
  place: DepotPlace,
  { run, commit, limit }: { readonly run: string; readonly commit: string; readonly limit: number },
): Promise<{ readonly not: readonly string[]; readonly isFirst: boolean } | null> {
  checkId(commit);
  return withDepot(context, place, async (depot) => {
    const [found] = await idsOf(depot, [`${commit}^{commit}`]);
    if (found !== undefined) return null;
    const args = ['for-each-ref', '--sort=-committerdate', `--count=${limit}`, '--format=%(objectname) %(refname)'];
    const own = `${RUNS}/${refComponent(run)}`;
    const text = await gitText(depot.git, [...args, 'refs/heads', own], inDepot(depot, 'list what the depot has'));
    const not = [...new Set(text.split('\n').flatMap((line) => (line === '' ? [] : line.split(' ', 1))))];
    return { not, isFirst: !text.includes(` ${own}/`) };
  });
}

/**
 * Packs a commit that the depot keeps for a run. Refuses new files that Git LFS keeps: their content would stay behind, and no merge could bring it.
 *
 * @throws {GitError} `unknown-revision`: it keeps no such commit; `incomplete`: content of Git LFS.
 */
export async function packForRun(
  context: Git,
  place: DepotPlace,
  {
    sha256Of,
    commit,
    ...request
  }: Omit<Parameters<typeof pack>[1], 'repo' | 'refs'> & { readonly commit: string; readonly sha256Of: Host['sha256'] },
): ReturnType<typeof pack> {
  checkId(commit);
  await withDepot(context, place, async (depot) => {
    const call = inDepot(depot, 'look for a commit of a run');
    const kept = await gitText(depot.git, ['for-each-ref', '--count=1', `${RUNS}/*/${commit}`], call);
    if (kept === '') throw new GitError('unknown-revision', `The depot keeps no commit ${commit} for a run`);
    const [main] = await idsOf(depot, [mainRef(place)]);
    const [large] = main === undefined ? [] : await neededContent(depot, { base: main, commit });
    if (large !== undefined)
      throw new GitError(
        'incomplete',
        `Git LFS keeps the content of "${large.path}" on this machine, and a run does not carry it to another one: let workers of this machine do the work`,
      );
  });
  const refs = [{ name: 'work', commit }];
  return pack({ ...context, hooks: false }, { ...request, repo: depotOf(place), refs }, sha256Of);
}

/** Takes the parcel with a commit of a run, and keeps it. The file goes. @throws {GitError} */
export async function takeForRun(
  context: Git,
  place: DepotPlace,
  { run, ...arrived }: Arrived & { readonly run: string },
): ReturnType<typeof takeIn> {
  return withDepot(context, place, async (depot) => {
    const taken = await takeIn(depot, arrived);
    if (taken.kind !== 'unpacked') return taken;
    await pin(depot, run, arrived.commit);
    await forgetCarried(depot);
    return taken;
  });
}
