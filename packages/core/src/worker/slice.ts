/**
 * The shape of a slice of a worker's state. Each slice owns its fields: only its file writes them, and it says what becomes of
 * them on every cause, so that neither a new cause nor a new slice compiles until each has said what it does.
 */

/** Event that ends or resets state in several slices at once. */
export type Cause =
  /** A person gives the worker a task. */
  | 'task-begun'
  /** The task is over: merged, ended by a person or by its agent's user, or given back to the queue. */
  | 'task-ended'
  /** The machine has started the agent's program. */
  | 'session-opened'
  /** The agent's program, or the whole session, is gone. */
  | 'session-lost'
  /** The worktree is gone. */
  | 'worktree-lost'
  /** The worker is to be brought back to a checkpoint. */
  | 'restore-begun'
  /** A person takes the matter up: what was counted against the budgets starts at zero (R2). */
  | 'budget-renewed'
  /** A person lets the worker go on: as `budget-renewed`, and what was waited for is waited for no more. */
  | 'person-resumed'
  /** Drover has given up and asks a person. */
  | 'given-up';

/** Facts that a slice may know beside itself when something happens to it. */
export interface When {
  /** Epoch milliseconds of the coordinator. */
  readonly now: number;
}

/** Returns the slice after a cause. */
export type Answer<S> = (slice: S, when: When) => S;

/** A slice: its state for a new worker, and its answer to each cause. */
export interface Slice<S> {
  readonly initial: S;
  readonly on: Readonly<Record<Cause, Answer<S>>>;
}

/** The answer of a slice that the cause does not concern. */
export function keep<S>(slice: S): S {
  return slice;
}
