/** Fills the submodules of a place, or says which are not, and why. (docs/adr/0014-a-clone-for-each-worker.md) */
import { withDepot } from '../depot/depot.ts';
import { type DepotPlace, depotOf } from '../depot/place.ts';
import { type Git, unconfined } from '../git/git.ts';
import { namingOf } from '../gitlinks/naming.ts';
import { bringSubmodules, type LackingSubmodule } from './find.ts';
import { layOut } from './layout.ts';
import { tidySubmodules } from './tidy.ts';

/** Place that is at `commit`, or at work based on it. */
interface Filling {
  readonly worktree: string;
  readonly depot: DepotPlace;
  /** A commit of the depot. */
  readonly commit: string;
}

/**
 * Fills what the commit names and the place has not; untouched ones are brought to it. Nothing that `.gitmodules` says is run. Safe to repeat.
 *
 * @returns those that are not filled.
 * @throws {GitError}
 */
export async function fillSubmodules(
  context: Git,
  { worktree, depot: place, commit }: Filling,
): Promise<readonly LackingSubmodule[]> {
  // Returns early: nearly always there are no submodules, and no git is asked.
  if ((await context.files.stat(`${worktree}/.gitmodules`)) === undefined) {
    await tidySubmodules(context, worktree);
    return [];
  }
  const source = place.target.kind === 'source' ? place.target.source : null;
  const own = unconfined(context);
  const naming = await namingOf(own, place, worktree);
  const found = await withDepot(context, place, (depot) => bringSubmodules(depot, { ...naming, source, commit }));
  const lacking: LackingSubmodule[] = [...found.lacking];
  // Fills from the outside in: inner submodules need those around them at their commits.
  for (const one of found.filled) {
    if (one.parent === '' || !lacking.some(({ path }) => one.path.startsWith(`${path}/`))) {
      const why = await layOut({ ...context, hooks: false }, { worktree, depot: depotOf(place) }, one);
      if (why !== undefined) lacking.push({ path: one.path, why });
    }
    if (found.filled.some(({ parent }) => parent === one.gitDir)) await tidySubmodules(context, worktree);
  }
  await tidySubmodules(context, worktree);
  return lacking;
}
