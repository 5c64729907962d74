/** The contract between a run and the worker that does one of its tasks. */
import type { Returns, TaskResult } from './result.ts';

/** Item of a run that a worker's task is for. */
export interface RunItem {
  readonly runId: string;
  /** Name of the stage, or `stage/3` for the third part of an `each`. */
  readonly item: string;
  /** First attempt is 1. Results of earlier attempts change nothing. */
  readonly attempt: number;
  readonly returns: Returns;
}

/** Item of a run in a worker's hands. */
export interface RunInHand extends RunItem {
  /**
   * `open`: the agent is at it. `held`: its end was reported, and the worker waits for the run's next turn or its release. Nothing that the agent
   * does meanwhile counts (W5).
   */
  readonly phase: 'open' | 'held';
  /** Begin of the delivery that the agent took first in this attempt, by the machine's clock; null: none yet. Older results count for nothing. */
  readonly takenAt: number | null;
  /** True if the model was seen at work since then: a result without that counts for nothing. */
  readonly answered: boolean;
  /** Prompts for a missing result that were typed in this attempt. */
  readonly asked: number;
  /** True in the turn that hands back: nothing is asked after it. */
  readonly isLast: boolean;
}

/** Result file of an item as its machine read it. */
export type ResultSeen =
  | { readonly kind: 'none' }
  /** A file that is no valid result of this attempt. `problem` says exactly what is wrong. */
  | { readonly kind: 'invalid'; readonly problem: string }
  /** `at`: its last change, by the machine's clock. */
  | { readonly kind: 'given'; readonly attempt: number; readonly at: number; readonly result: TaskResult };

/** End of the task of an item. */
export type TaskEnd =
  /** A valid result of this attempt, on this commit. `commit`: null if HEAD did not move. */
  | { readonly kind: 'result'; readonly result: TaskResult; readonly commit: string | null; readonly base: string }
  /** No valid result after two refusals of the turn's end and one typed prompt. */
  | { readonly kind: 'no-result'; readonly commit: string | null; readonly problem: string }
  /** Recovery gave up, or the machine was removed. */
  | { readonly kind: 'failed'; readonly code: string; readonly commit: string | null; readonly problem: string }
  /** A person cancelled or took over the task, removed the worker or ended its agent. */
  | { readonly kind: 'taken-away'; readonly by: string; readonly commit: string | null };

/** Event that a worker's decision writes for its run, in the worker's own transaction. */
export interface TaskEnded {
  readonly kind: 'task-ended';
  readonly item: string;
  readonly attempt: number;
  readonly workerId: string;
  readonly end: TaskEnd;
}
