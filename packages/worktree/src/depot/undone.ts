/** What does a work undo of others? Paths that changed while its task ran and that it has as they were when the task began. */
import { type GitCall, gitText } from '../git/git.ts';
import { changedPaths } from '../git/revisions.ts';
import { safeRevision } from '../names.ts';
import { type Depot, idsOf, inDepot } from './place.ts';

/** Something that a reviewer should know. */
export interface CandidateNote {
  readonly kind: 'undone-others';
  /** The first {@link PATHS_MAX} of `count`. */
  readonly paths: readonly string[];
  readonly count: number;
}

/** Paths of one note: more do not make a reviewer look closer. */
const PATHS_MAX = 20;

/**
 * With `began` the commit at which the task began and m the newest commit of main that the work stands on: paths that differ
 * between `began` and m, and not between `began` and the work. @throws {GitError}
 */
export async function undoneOfOthers(
  depot: Depot,
  { began, base, head }: { readonly began: string; readonly base: string; readonly head: string },
): Promise<readonly CandidateNote[]> {
  const [known] = await idsOf(depot, [`${safeRevision(began)}^{commit}`]);
  if (known === undefined) return [];
  const call: GitCall = { ...inDepot(depot, 'find where the branches parted'), allow: [1] };
  const parted = await gitText(depot.git, ['merge-base', base, head], call);
  if (parted === '' || parted === known) return [];
  const own = new Set(await changedPaths(depot.git, depot.at, [known, head]));
  const paths = (await changedPaths(depot.git, depot.at, [known, parted])).filter((path) => !own.has(path));
  if (paths.length === 0) return [];
  return [{ kind: 'undone-others', paths: paths.slice(0, PATHS_MAX), count: paths.length }];
}
