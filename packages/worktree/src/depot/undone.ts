/** Finds work of others that a work undoes: paths that changed while its task ran and that it has as they were when the task began. */
import { type GitCall, gitText } from '../git/git.ts';
import { changedPaths } from '../git/revisions.ts';
import { together } from '../git/together.ts';
import { safeRevision } from '../names.ts';
import { type Depot, idsOf, inDepot } from './place.ts';

/** Note for a reviewer. */
export interface CandidateNote {
  readonly kind: 'undone-others';
  /** The first {@link PATHS_MAX} of `count`. */
  readonly paths: readonly string[];
  readonly count: number;
}

/** Paths of one note: more do not make a reviewer look closer. */
const PATHS_MAX = 20;

interface UndoneRequest {
  readonly began: string;
  readonly base: string;
  readonly head: string;
  /** Commit of main that the work is based on, where that is known. */
  readonly parted: string | undefined;
}

/**
 * Lists paths that differ between `began` and m, and not between `began` and the work; `began` is the commit at which
 * the task began and m the newest commit of main that the work stands on. @throws {GitError}
 */
export async function undoneOfOthers(
  depot: Depot,
  { began, base, head, parted: seen }: UndoneRequest,
): Promise<readonly CandidateNote[]> {
  if (seen === began) return [];
  const [known] = await idsOf(depot, [`${safeRevision(began)}^{commit}`]);
  if (known === undefined) return [];
  const parted = seen ?? (await partingOf(depot, base, head));
  if (parted === '' || parted === known) return [];
  const [work, changed] = await together([
    changedPaths(depot.git, depot.at, [known, head]),
    changedPaths(depot.git, depot.at, [known, parted]),
  ]);
  const own = new Set(work);
  const paths = changed.filter((path) => !own.has(path));
  if (paths.length === 0) return [];
  return [{ kind: 'undone-others', paths: paths.slice(0, PATHS_MAX), count: paths.length }];
}

async function partingOf(depot: Depot, base: string, head: string): Promise<string> {
  const call: GitCall = { ...inDepot(depot, 'find where the branches parted'), allow: [1] };
  return gitText(depot.git, ['merge-base', base, head], call);
}
