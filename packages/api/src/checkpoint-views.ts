/** What do clients see of checkpoints, and of a worker that is brought back to one? */
import { CHECKPOINT_TYPES } from '@drover/core';
import { epochMs, uuid } from '@drover/protocol';
import { z } from 'zod';

/** One checkpoint in a list. */
export const checkpointView = z.object({
  id: uuid,
  /** The end of the id, which is enough to name it. */
  shortId: z.string(),
  worker: z.string(),
  project: z.string(),
  machine: z.string(),
  at: epochMs,
  type: z.enum(CHECKPOINT_TYPES),
  why: z.string(),
  /** Who wanted it, as in `eventView`. */
  by: z.string().nullable(),
  /** Files with uncommitted changes; null where that is not known. */
  files: z.number().int().nullable(),
  task: uuid.nullable(),
  /** The task's words, cut to 200 characters. */
  prompt: z.string().nullable(),
  incident: uuid.nullable(),
  /** Null: it holds no work, only what was known of the worker. */
  commit: z.string().nullable(),
  /** Whether the agent had a conversation that can be resumed. */
  conversation: z.boolean(),
});
/** A checked `checkpointView`. */
export type CheckpointView = z.infer<typeof checkpointView>;

/** One checkpoint with what its machine says of it. */
export const checkpointDetailView = checkpointView.extend({
  /** Why it cannot be restored; null: it is whole. */
  damage: z.string().nullable(),
  /** The commit under the uncommitted work; empty where it is damaged. */
  head: z.string(),
  /** Uncommitted changes, at most 500 of `changeCount`. Lines are null for binary files. */
  changes: z.array(
    z.object({ path: z.string(), added: z.number().int().nullable(), deleted: z.number().int().nullable() }),
  ),
  changeCount: z.number().int(),
  /** Changed files that it does not hold. */
  skipped: z.array(z.object({ path: z.string(), why: z.string() })),
  /** What git was in the middle of. */
  during: z.string().nullable(),
});
/** A checked `checkpointDetailView`. */
export type CheckpointDetailView = z.infer<typeof checkpointDetailView>;

/** What `drover recover` does, or would do. */
export const recoveryPlanView = z.object({
  orderId: uuid,
  worker: z.string(),
  checkpoint: checkpointDetailView,
  /** Newer ones that are damaged, and why. */
  passedOver: z.array(z.object({ shortId: z.string(), damage: z.string() })),
  /** In words, in order. */
  steps: z.array(z.string()),
  /** False after a dry run. */
  ordered: z.boolean(),
});
/** A checked `recoveryPlanView`. */
export type RecoveryPlanView = z.infer<typeof recoveryPlanView>;

/** How far it has come. `answers`: the agent has taken the words. */
export const recoveryProgressView = z.object({
  stage: z.enum(['closing', 'restoring', 'starting', 'telling', 'answers', 'failed']),
  /** For people: what is being done, or why it failed. */
  note: z.string(),
  /** The refs that keep what was in the worktree before, separated by commas; null: it held nothing of its own. */
  kept: z.string().nullable(),
});
/** A checked `recoveryProgressView`. */
export type RecoveryProgressView = z.infer<typeof recoveryProgressView>;
