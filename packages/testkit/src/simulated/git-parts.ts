/** What are commands about git carried out with on a simulated machine? */
import type { SeededRandom } from '../random.ts';
import type { SimGit } from './git.ts';

/** How often things go wrong. */
export interface GitLuck {
  readonly random: SeededRandom;
  readonly conflict: number;
  readonly invalid: number;
  readonly failing: number;
}

/** Told when work enters the default branch. */
type OnMerged = (workerId: string, works: readonly string[]) => void;

/** What a command about git is carried out with. */
export interface Parts {
  readonly git: SimGit;
  readonly workerId: string;
  readonly luck: GitLuck;
  readonly onMerged: OnMerged;
  /** The id of the worker with a name. */
  readonly workerNamed: (name: string) => string | undefined;
  /** The checks of the project; absent: `npm test`. */
  readonly checks?: string;
  /** What came of workers on other machines, by their names. */
  readonly guests?: ReadonlyMap<string, GuestWork>;
}

/** Whose work came from another machine, or why it did not. */
export type GuestWork = { readonly workerId: string } | { readonly away: string };
