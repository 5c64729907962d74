/** Describes a depot: its place, its refs, and calls of git in it. */
import { DEADLINES_MS, type Git, type GitCall, gitText } from '../git/git.ts';
import { safeDirectory, safeRevision, workerName } from '../names.ts';
import type { Home } from './targets/ports.ts';

/** Place of main. */
export type Target =
  /** The branch of a repository with a working tree on this machine. */
  | { readonly kind: 'source'; readonly source: string; readonly defaultBranch: string }
  /** A branch of a repository elsewhere, which each machine of the project reaches by its address. */
  | { readonly kind: 'remote'; readonly url: string; readonly defaultBranch: string }
  /** A branch of a repository on another machine, which is asked through the coordinator. */
  | { readonly kind: 'home'; readonly home: Home; readonly defaultBranch: string };

/** A project's depot on this machine. */
export interface DepotPlace {
  /** Absolute, in a directory that only Drover writes: holds the depot and its landing worktrees. */
  readonly directory: string;
  readonly target: Target;
}

/** A depot in which nothing else works at the moment. */
export interface Depot {
  /** Runs git outside of any cage, without hooks. */
  readonly git: Git;
  /** The bare repository. */
  readonly at: string;
  readonly place: DepotPlace;
}

/** Path of the bare repository. */
export function depotOf({ directory }: Pick<DepotPlace, 'directory'>): string {
  return `${safeDirectory(directory)}/depot.git`;
}

/** The depot's copy of the target's default branch. */
export function mainRef({ target }: DepotPlace): string {
  return `refs/heads/${safeRevision(target.defaultBranch)}`;
}

/** Ref that a review of this worker's work reads: the worker's head as it was when it was last brought here. */
export function reviewRef(worker: string): string {
  return `refs/drover/reviews/${workerName(worker)}`;
}

/** Settings that override whatever a person, a system or a commit says about attributes and settings. */
const CLEAN = {
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_SYSTEM: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_ATTR_NOSYSTEM: '1',
  GIT_NO_LAZY_FETCH: '1',
} as const;

/**
 * A fetch from a repository of others, which delivers its objects as they are: what it says is in their place, or who their
 * parents are, does not count. Git itself forgets these variables on the way to the other repository.
 */
export const FETCH = [
  'fetch',
  '--upload-pack=env GIT_NO_REPLACE_OBJECTS=1 GIT_GRAFT_FILE=/dev/null/none git -c core.useReplaceRefs=false -c core.commitGraph=false upload-pack',
  '--quiet',
  '--no-tags',
  '--no-recurse-submodules',
  '--no-write-fetch-head',
  '--',
] as const;

/** Options of a call on the depot by git's own rules alone. */
export function inDepot({ at }: Depot, action: string): GitCall {
  return { ...plain(action), at };
}

/** Options of a call by git's own rules alone. */
export function plain(action: string): Omit<GitCall, 'at'> {
  return { action, timeoutMs: DEADLINES_MS.checkout, env: CLEAN, config: ['core.attributesFile=/dev/null'] };
}

/** Reads the full ids that these names stand for, each undefined where there is nothing, with one process. @throws {GitError} */
export async function idsOf(depot: Depot, names: readonly string[]): Promise<readonly (string | undefined)[]> {
  const input = names.map((name) => `${name}\n`).join('');
  const args = ['cat-file', '--batch-check=%(objectname)'];
  const text = await gitText(depot.git, args, { ...inDepot(depot, 'look into the depot'), input });
  return text.split('\n').map((line) => (/^[0-9a-f]{40,64}$/u.test(line) ? line : undefined));
}
