/** The slice `checkpoint`: saves of the work, the next save, and the checkpoint to which the worker is brought back. */
import type { CheckpointType } from '../machine/commands.ts';
import { keep } from './slice.ts';
import type { Slice, When } from './slice.ts';

/** A checkpoint to make at the next opportunity. At most one waits; a more urgent one takes its place. */
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
  /** Null: the checkpoint held no uncommitted work; only the agent is started again. */
  readonly commit: string | null;
  /** Conversation of the agent at that time; null: the agent begins a new one. */
  readonly conversation: string | null;
  /** Words that follow; null: the task's own. */
  readonly prompt: string | null;
}

/** Saves of the work. */
export interface Checkpoints {
  /** The last checkpoint with work in it. */
  readonly last: LastCheckpoint | null;
  /** Time of the last save attempt, epoch milliseconds, whether or not there was work to keep. */
  readonly triedAt: number;
  readonly due: CheckpointDue | null;
  /** Checkpoint that the worker is being brought back to. */
  readonly restore: RestoreDue | null;
}

function restoringNothing(checkpoints: Checkpoints): Checkpoints {
  return { ...checkpoints, restore: null };
}

/** Slice without a checkpoint yet. */
export const CHECKPOINT = {
  initial: { last: null, triedAt: 0, due: null, restore: null },
  on: {
    'task-begun': (checkpoints: Checkpoints, { now }: When): Checkpoints => ({
      ...checkpoints,
      last: null,
      triedAt: now,
    }),
    'task-ended': restoringNothing,
    'session-opened': keep,
    'session-lost': keep,
    'worktree-lost': keep,
    // The request names the checkpoint.
    'restore-begun': keep,
    'budget-renewed': keep,
    'person-resumed': keep,
    'given-up': restoringNothing,
  },
} satisfies Slice<Checkpoints>;

/** Types by urgency, the most urgent first; of two that wait, the less urgent is dropped. */
const URGENCY: readonly CheckpointType[] = [
  'manual',
  'hiccup',
  'before_retry',
  'error_recovery',
  'stage_complete',
  'session_start',
  'periodic',
];

/** Types of saves that wait until nothing else is to be done. */
const LEISURELY: ReadonlySet<CheckpointType> = new Set([
  'session_start',
  'periodic',
  'stage_complete',
  'error_recovery',
]);

/** Tells whether other commands wait for a save of this type. */
export function isUrgent(type: CheckpointType): boolean {
  return !LEISURELY.has(type);
}

/** Asks for a checkpoint, unless a more urgent one waits. */
export function wantSave(checkpoints: Checkpoints, due: CheckpointDue): Checkpoints {
  const { due: waiting } = checkpoints;
  if (waiting !== null && URGENCY.indexOf(waiting.type) < URGENCY.indexOf(due.type)) return checkpoints;
  return { ...checkpoints, due };
}

/** End of a save. `last` is its checkpoint, null: nothing new. */
export interface SaveEnd {
  readonly id: string;
  readonly at: number;
  readonly last: LastCheckpoint | null;
}

/** Ends a save. Another save that was requested meanwhile still waits: the saved work is older than that request. */
export function endSave(checkpoints: Checkpoints, { id, at, last }: SaveEnd): Checkpoints {
  const due = checkpoints.due?.id === id ? null : checkpoints.due;
  return { ...checkpoints, due, triedAt: at, last: last ?? checkpoints.last };
}

/** Sets the last checkpoint, made by the way. */
export function keepLast(checkpoints: Checkpoints, last: LastCheckpoint): Checkpoints {
  return { ...checkpoints, last };
}

/** Forgets the checkpoints of work that was merged. */
export function forgetCheckpoints(checkpoints: Checkpoints): Checkpoints {
  return { ...checkpoints, last: null, due: null };
}

/** Begins to bring the worker back to this checkpoint. */
export function beginRestore(checkpoints: Checkpoints, restore: RestoreDue): Checkpoints {
  return { ...checkpoints, restore };
}

/** Ends a restore that succeeded or was dropped. */
export function endRestore(checkpoints: Checkpoints): Checkpoints {
  return restoringNothing(checkpoints);
}
