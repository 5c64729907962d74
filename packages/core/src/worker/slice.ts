/**
 * Defines the shape of a slice of a worker's state. Each slice owns its fields: only its file writes them, and gives its answer to every
 * cause, so that neither a new cause nor a new slice compiles without all answers.
 */

/** Event that ends or resets state in several slices at once. */
export type Cause =
  /** Start of a task by a person. */
  | 'task-begun'
  /** End of the task: merged, ended by a person or by its agent's user, or given back to the queue. */
  | 'task-ended'
  /** Start of the agent's program by the machine. */
  | 'session-opened'
  /** Loss of the agent's program, or of the whole session. */
  | 'session-lost'
  /** Loss of the worktree. */
  | 'worktree-lost'
  /** Start of a return to a checkpoint. */
  | 'restore-begun'
  /** Renewal by a person: counts against the budgets start at zero (R2). */
  | 'budget-renewed'
  /** Resumption by a person: as `budget-renewed`, and every wait ends. */
  | 'person-resumed'
  /** Question to a person, because Drover has given up. */
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

/** Answers a cause that does not concern the slice. */
export function keep<S>(slice: S): S {
  return slice;
}
