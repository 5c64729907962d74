/** Parts with which a simulated machine carries out commands about git. */
import type { SeededRandom } from '../random.ts';
import type { SimGit } from './git.ts';

/** Probabilities of failures. */
export interface GitLuck {
  readonly random: SeededRandom;
  readonly conflict: number;
  readonly invalid: number;
  readonly failing: number;
}

/** Called when work enters the default branch. */
type OnMerged = (workerId: string, works: readonly string[]) => void;

export interface Parts {
  readonly git: SimGit;
  readonly workerId: string;
  readonly luck: GitLuck;
  readonly onMerged: OnMerged;
  /** Finds the id of a worker by its name. */
  readonly workerNamed: (name: string) => string | undefined;
  /** Checks of the project; absent: `npm test`. */
  readonly checks?: string;
  /** Work of workers on other machines, by their names. */
  readonly guests?: ReadonlyMap<string, GuestWork>;
}

/** Id of the worker whose work came from another machine, or the reason why the work did not come. */
export type GuestWork = { readonly workerId: string } | { readonly away: string };
