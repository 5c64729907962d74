/** The set-up of a worker's place: the commands of `repo.worker.setup`. */

/**
 * Set-up that a place needs, as its machine reports after it made the place, or brought it to the default branch. Absent: the project has no
 * such commands.
 */
export interface SetUpWanted {
  /** Name of the commands and the lock files that the place has: they run again when it changes. */
  readonly key: string;
  /** True for a new place, which holds nothing of an earlier run. */
  readonly fresh: boolean;
}

/** The state of the set-up of a place. */
export interface SetUp {
  readonly key: string;
  /** `skipped`: the set-up failed, and a person said to go on without it. */
  readonly state: 'due' | 'done' | 'skipped';
}

/** Returns the state after a machine has named a set-up. A set-up that ended, or that a person goes without, is not due again for the same key. */
export function setUpAfter(before: SetUp | null, { key, fresh }: SetUpWanted): SetUp {
  return before === null || fresh || before.key !== key ? { key, state: 'due' } : before;
}

const WORDS: Readonly<Record<SetUp['state'], string>> = {
  due: 'Its worktree must be set up (repo.worker.setup) before its agent continues.',
  done: 'Its worktree was set up (repo.worker.setup); the set-up runs again when its lock files change.',
  skipped:
    'A person let it continue without the set-up of its worktree (repo.worker.setup) until its lock files change.',
};

/** Words the state of a set-up. */
export function tellSetUp({ state }: SetUp): string {
  return WORDS[state];
}
