/** What is kept of a worker's work, to begin again from? */

/** Why a checkpoint is made. Source: docs/recovery.md, checkpoints. */
export const CHECKPOINT_TYPES = [
  'session_start',
  'stage_complete',
  'periodic',
  'before_retry',
  'error_recovery',
  'hiccup',
  'manual',
] as const;

/** One of `CHECKPOINT_TYPES`. */
export type CheckpointType = (typeof CHECKPOINT_TYPES)[number];

/** A checkpoint that shall be made at the next opportunity. At most one waits; a more urgent one takes its place. */
export interface CheckpointDue {
  readonly id: string;
  readonly type: CheckpointType;
  readonly why: string;
  readonly incident: string | null;
}

/** The last checkpoint with work in it. `at` is epoch milliseconds. */
export interface LastCheckpoint {
  readonly id: string;
  readonly commit: string;
  readonly at: number;
}

/** A checkpoint to which the worker is being brought back. */
export interface RestoreDue {
  readonly id: string;
  /** Null: it held no uncommitted work; only the agent is started anew. */
  readonly commit: string | null;
  /** The agent's conversation at that time; null: it begins a new one. */
  readonly conversation: string | null;
  /** The words that follow; null: the task's own. */
  readonly prompt: string | null;
}
