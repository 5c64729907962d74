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

/** Reason for the end of an item's task. */
export type TaskEnd =
  /** A valid result of this attempt, on this commit. `commit`: null if HEAD did not move. */
  | { readonly kind: 'result'; readonly result: TaskResult; readonly commit: string | null; readonly base: string }
  /** No valid result after two refusals of the turn's end and one typed prompt. */
  | { readonly kind: 'no-result'; readonly commit: string | null; readonly problem: string }
  /** Recovery gave up, or the machine was removed. */
  | { readonly kind: 'failed'; readonly code: string; readonly commit: string | null; readonly problem: string }
  /** A person cancelled or took over the task. */
  | { readonly kind: 'taken-away'; readonly by: string; readonly commit: string | null };

/** Event that a worker's decision writes for its run, in the worker's own transaction. */
export interface TaskEnded {
  readonly kind: 'task-ended';
  readonly item: string;
  readonly attempt: number;
  readonly workerId: string;
  readonly end: TaskEnd;
}
