/** The slice `worktree`: its presence, its base, its supplies beside commits, and git's last facts. */
import type { GitFacts } from '../machine/reading.ts';
import type { Supplies } from '../machine/supplies.ts';
import { setUpAfter } from '../machine/set-up.ts';
import type { SetUp, SetUpWanted } from '../machine/set-up.ts';
import { keep } from './slice.ts';
import type { Slice } from './slice.ts';

export interface Worktree {
  readonly place: { readonly kind: 'none' } | { readonly kind: 'ready'; readonly base: string };
  /** True if the worktree must be brought to the newest default branch before the next delivery. */
  readonly resetDue: boolean;
  /** Last facts of git; null: git must be asked. */
  readonly git: GitFacts | null;
  /** Files that the worktree got beside its commits; null: its machine has not said. */
  readonly supplies: Supplies | null;
  /** State of the set-up; null: the project has none, or the machine has not reported. */
  readonly setUp: SetUp | null;
}

/** Slice without a worktree yet. */
export const WORKTREE = {
  initial: { place: { kind: 'none' }, resetDue: false, git: null, supplies: null, setUp: null },
  on: {
    'task-begun': (worktree: Worktree): Worktree => ({ ...worktree, resetDue: true }),
    'task-ended': keep,
    'session-opened': keep,
    'session-lost': keep,
    'worktree-lost': (worktree: Worktree): Worktree => ({
      ...worktree,
      place: { kind: 'none' },
      supplies: null,
      setUp: null,
    }),
    'restore-begun': keep,
    'budget-renewed': keep,
    'person-resumed': keep,
    'given-up': keep,
  },
} satisfies Slice<Worktree>;

/** Marks the worktree as ready, on this base. */
export function standOn(worktree: Worktree, base: string): Worktree {
  return { ...worktree, place: { kind: 'ready', base } };
}

/** Sets whether the worktree must be brought to the newest default branch. */
export function setResetDue(worktree: Worktree, resetDue: boolean): Worktree {
  return { ...worktree, resetDue };
}

/** Sets the facts of git; null: git must be asked. */
export function setGit(worktree: Worktree, git: GitFacts | null): Worktree {
  return { ...worktree, git };
}

/** Sets the files that the worktree got beside its commits, as its machine says. */
export function setSupplies(worktree: Worktree, supplies: Supplies): Worktree {
  return { ...worktree, supplies };
}

/** Forgets the files that tools ignore: a person has decided, and the machine looks again when it prepares the place. */
export function forgetUntrusted(worktree: Worktree): Worktree {
  const { supplies } = worktree;
  return supplies === null ? worktree : { ...worktree, supplies: { ...supplies, untrusted: [] } };
}

/** Takes the set-up that its machine names; undefined: the project has none. */
export function wantSetUp(worktree: Worktree, wanted: SetUpWanted | undefined): Worktree {
  return { ...worktree, setUp: wanted === undefined ? null : setUpAfter(worktree.setUp, wanted) };
}

/** Ends the set-up: it is done, or a person goes on without it. */
export function endSetUp(worktree: Worktree, state: 'done' | 'skipped'): Worktree {
  return worktree.setUp === null ? worktree : { ...worktree, setUp: { ...worktree.setUp, state } };
}

/** Moves HEAD to the new name of moved work, which is no new work of the agent. */
export function moveHead(worktree: Worktree, head: string): Worktree {
  const { git } = worktree;
  return { ...worktree, git: git === null ? null : { ...git, head } };
}
