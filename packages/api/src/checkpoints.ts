/** Checkpoints, and the recovery of a worker from a checkpoint: what clients send and see, and the use cases. */
import { CHECKPOINT_TYPES } from '@drover/core';
import { epochMs, uuid } from '@drover/protocol';
import { z } from 'zod';
import type { ListPlace, Outcome } from './outcome.ts';
import type { Actor } from './people.ts';
import { idPart, workerRef } from './texts.ts';

/** Asks for the checkpoints of a worker, or of all, newest first. */
export const checkpointsInput = z.object({
  worker: workerRef.optional(),
  limit: z.number().int().min(1).max(1_000),
});

export const checkpointInput = z.object({ id: idPart('a checkpoint') });

/** Asks for a new checkpoint: of the only worker if no name is given. */
export const createCheckpointInput = z.object({
  requestId: uuid,
  worker: workerRef.optional(),
  why: z.string().trim().min(1, 'The reason is empty: leave it out, or give one').max(500).optional(),
});

/**
 * Restores a worker to a checkpoint. Without a name, the worker is the only one in `error`; without a checkpoint, the
 * worker's newest undamaged one is taken. With `dryRun` nothing changes. With `resetAgent` the agent begins a new
 * conversation.
 */
export const recoverInput = z.object({
  requestId: uuid,
  worker: workerRef.optional(),
  checkpoint: idPart('a checkpoint').optional(),
  resetAgent: z.boolean(),
  dryRun: z.boolean(),
});

/** Asks for the progress of a requested recovery. */
export const recoveryInput = z.object({ requestId: uuid, worker: workerRef });

/** A checkpoint in a list. */
export const checkpointView = z.object({
  id: uuid,
  /** The end of the id, which is enough to name the checkpoint. */
  shortId: z.string(),
  worker: z.string(),
  project: z.string(),
  machine: z.string(),
  at: epochMs,
  type: z.enum(CHECKPOINT_TYPES),
  why: z.string(),
  /** The requester, as in `eventView`. */
  by: z.string().nullable(),
  /** Files with uncommitted changes; null if unknown. */
  files: z.number().int().nullable(),
  task: uuid.nullable(),
  /** The task's prompt, cut to 200 characters. */
  prompt: z.string().nullable(),
  incident: uuid.nullable(),
  /** The commit of the work; null: the checkpoint holds no work, only facts about the worker. */
  commit: z.string().nullable(),
  /** True if the agent had a conversation that can be resumed. */
  conversation: z.boolean(),
});

export type CheckpointView = z.infer<typeof checkpointView>;

/** A checkpoint with the report of its machine. */
export const checkpointDetailView = checkpointView.extend({
  /** The reason why the checkpoint cannot be restored; null: it is undamaged. */
  damage: z.string().nullable(),
  /** The commit under the uncommitted work; empty if the checkpoint is damaged. */
  head: z.string(),
  /** Uncommitted changes, at most 500 of `changeCount`. Lines are null for binary files. */
  changes: z.array(
    z.object({ path: z.string(), added: z.number().int().nullable(), deleted: z.number().int().nullable() }),
  ),
  changeCount: z.number().int(),
  /** Changed files that the checkpoint does not hold. */
  skipped: z.array(z.object({ path: z.string(), why: z.string() })),
  /** The git operation that was unfinished. */
  during: z.string().nullable(),
});

export type CheckpointDetailView = z.infer<typeof checkpointDetailView>;

/** The plan or the result of `drover worker recover`. */
export const recoveryPlanView = z.object({
  requestId: uuid,
  worker: z.string(),
  checkpoint: checkpointDetailView,
  /** Newer checkpoints that are damaged, and the damage. */
  passedOver: z.array(z.object({ shortId: z.string(), damage: z.string() })),
  /** Steps in words, in order. */
  steps: z.array(z.string()),
  /** False after a dry run, and while the checkpoint is being fetched. */
  requested: z.boolean(),
  /** Progress of the fetch from another machine: ask again with the same `requestId`; null: no fetch runs. */
  fetching: z.string().nullable(),
});

export type RecoveryPlanView = z.infer<typeof recoveryPlanView>;

/** Progress of a recovery. `answers`: the agent has taken the text. */
export const recoveryProgressView = z.object({
  stage: z.enum(['closing', 'restoring', 'starting', 'telling', 'answers', 'failed']),
  /** Describes the current step, or the failure, for people. */
  note: z.string(),
  /** Refs that keep the previous content of the worktree, separated by commas; null: the worktree held nothing of its own. */
  kept: z.string().nullable(),
});

export type RecoveryProgressView = z.infer<typeof recoveryProgressView>;

/** The use cases of checkpoints. */
export interface CheckpointFleet {
  listCheckpoints(
    input: z.infer<typeof checkpointsInput> & { readonly after?: ListPlace | undefined },
    by: Actor,
  ): Promise<Outcome<readonly CheckpointView[]>>;
  /** Asks the machine whether the checkpoint is undamaged and what the checkpoint holds. */
  checkpoint(input: z.infer<typeof checkpointInput>, by: Actor): Promise<Outcome<CheckpointDetailView>>;
  /** Waits until the checkpoint exists. */
  createCheckpoint(input: z.infer<typeof createCheckpointInput>, by: Actor): Promise<Outcome<CheckpointView>>;
  /** Finds and verifies the checkpoint, then begins the recovery unless it is a dry run. */
  recover(input: z.infer<typeof recoverInput>, by: Actor): Promise<Outcome<RecoveryPlanView>>;
  recovery(input: z.infer<typeof recoveryInput>, by: Actor): Promise<Outcome<RecoveryProgressView>>;
}
