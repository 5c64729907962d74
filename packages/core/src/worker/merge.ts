/** The slice `merge`: an accept on its way, a rebase that is due, and conflicts that come back. */
import type { Pin } from '../machine/commands.ts';
import { keep } from './slice.ts';
import type { Slice } from './slice.ts';

/**
 * Where an accept stands: waiting for the project's merge lease, then one command after the other. After `fast-forward`
 * the work is merged; `close` and `recycle` make the worker fresh.
 */
export type AcceptStep = 'waiting' | 'rebase' | 'validate' | 'squash' | 'fast-forward' | 'close' | 'recycle';

/** An accept on its way: one step at a time, each safe to repeat. */
export interface Accept {
  readonly step: AcceptStep;
  /** The commit that the person has seen. */
  readonly reviewed: string;
  /** That commit, and from then on what Drover's own last step has made of it. Nothing else is merged. */
  readonly pin: Pin;
  readonly base: string | null;
  readonly commit: string | null;
  readonly expected: string | null;
  /** Epoch milliseconds. */
  readonly since: number;
}

/** Conflicts that keep coming back. */
export interface ConflictCount {
  /** The files, by which conflicts are told apart. */
  readonly key: string;
  readonly times: number;
  /** HEAD before: the same HEAD afterwards means that the agent gave the rebase up. */
  readonly headBefore: string | null;
  /** The agent was helped once. */
  readonly helped: boolean;
}

/** The way of the work into the default branch. */
export interface Merge {
  readonly accept: Accept | null;
  /** The default branch moved while this worker waits for review. */
  readonly rebaseDue: boolean;
  readonly conflicts: ConflictCount | null;
}

const NOTHING = { accept: null, rebaseDue: false, conflicts: null } as const;

/** Nothing is to be merged. */
export const MERGE = {
  initial: NOTHING as Merge,
  on: {
    'task-begun': (merge: Merge): Merge => ({ ...merge, conflicts: null }),
    'task-ended': (): Merge => NOTHING,
    'session-opened': keep,
    'session-lost': keep,
    'worktree-lost': keep,
    'restore-begun': keep,
    'budget-renewed': keep,
    'person-resumed': keep,
    // A merge that has begun goes to its end.
    'given-up': (merge: Merge): Merge => (isMerging(merge) ? merge : { ...merge, accept: null }),
  },
} satisfies Slice<Merge>;

/** A person accepts what they have seen. */
export function acceptPin(merge: Merge, pin: Pin, since: number): Merge {
  const accept: Accept = { step: 'waiting', reviewed: pin.head, pin, base: null, commit: null, expected: null, since };
  return { ...merge, accept };
}

/** The accept goes on to a step, with what the last one has made. */
export function goTo(merge: Merge, accept: Accept, step: Partial<Accept>): Merge {
  return { ...merge, accept: { ...accept, ...step } };
}

/** The accept is over. */
export function endAccept(merge: Merge): Merge {
  return { ...merge, accept: null };
}

/** Whether the work is to be rebased. */
export function setRebaseDue(merge: Merge, rebaseDue: boolean): Merge {
  return { ...merge, rebaseDue };
}

/** A rebase left conflicts: the accept is over, and the same files are counted. */
export function countConflicts(merge: Merge, key: string, headBefore: string | null): Merge {
  const times = timesOfConflict(merge, key);
  return { accept: null, rebaseDue: false, conflicts: { key, times, headBefore, helped: false } };
}

/** How often these conflicts have come, with this time. */
export function timesOfConflict({ conflicts }: Merge, key: string): number {
  return conflicts?.key === key ? conflicts.times + 1 : 1;
}

/** The agent was told what usually is left to do. */
export function markHelped(merge: Merge): Merge {
  const conflicts = merge.conflicts ?? { key: '', times: 1, headBefore: null };
  return { ...merge, conflicts: { ...conflicts, helped: true } };
}

/** Whether a merge has begun: it goes to its end. */
export function isMerging({ accept }: Merge): boolean {
  return accept !== null && accept.step !== 'waiting';
}
