/** Checkpoints, and a worker that is brought back to one: what clients send and see, and the use cases. */
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

/** Names one checkpoint. */
export const checkpointInput = z.object({ id: idPart('a checkpoint') });

/** Asks for a new checkpoint. Without a name it is of the only worker that exists. */
export const createCheckpointInput = z.object({
  requestId: uuid,
  worker: workerRef.optional(),
  why: z.string().trim().min(1, 'The reason is empty: leave it out, or say one').max(500).optional(),
});

/**
 * Brings a worker back to a checkpoint. Without a name it is the only worker in `error`; without a checkpoint, its newest whole one.
 * With `dryRun` nothing is changed. `resetAgent`: its agent begins a new conversation.
 */
export const recoverInput = z.object({
  requestId: uuid,
  worker: workerRef.optional(),
  checkpoint: idPart('a checkpoint').optional(),
  resetAgent: z.boolean(),
  dryRun: z.boolean(),
});

/** Asks how far a requested recovery has come. */
export const recoveryInput = z.object({ requestId: uuid, worker: workerRef });

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
  /** The task's prompt, cut to 200 characters. */
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
  requestId: uuid,
  worker: z.string(),
  checkpoint: checkpointDetailView,
  /** Newer ones that are damaged, and why. */
  passedOver: z.array(z.object({ shortId: z.string(), damage: z.string() })),
  /** In words, in order. */
  steps: z.array(z.string()),
  /** False after a dry run, and while it is being fetched. */
  requested: z.boolean(),
  /** What is being done to fetch the checkpoint from another machine: ask again with the same `requestId`; null: nothing. */
  fetching: z.string().nullable(),
});

/** A checked `recoveryPlanView`. */
export type RecoveryPlanView = z.infer<typeof recoveryPlanView>;

/** How far it has come. `answers`: the agent has taken the text. */
export const recoveryProgressView = z.object({
  stage: z.enum(['closing', 'restoring', 'starting', 'telling', 'answers', 'failed']),
  /** For people: what is being done, or why it failed. */
  note: z.string(),
  /** The refs that keep what was in the worktree before, separated by commas; null: it held nothing of its own. */
  kept: z.string().nullable(),
});

/** A checked `recoveryProgressView`. */
export type RecoveryProgressView = z.infer<typeof recoveryProgressView>;

/** The use cases of checkpoints. */
export interface CheckpointFleet {
  listCheckpoints(
    input: z.infer<typeof checkpointsInput> & { readonly after?: ListPlace | undefined },
    by: Actor,
  ): Promise<Outcome<readonly CheckpointView[]>>;
  /** Asks the machine whether it is whole and what it holds. */
  checkpoint(input: z.infer<typeof checkpointInput>, by: Actor): Promise<Outcome<CheckpointDetailView>>;
  /** Waits until it is there. */
  createCheckpoint(input: z.infer<typeof createCheckpointInput>, by: Actor): Promise<Outcome<CheckpointView>>;
  /** Finds and verifies the checkpoint, then begins the recovery unless it is a dry run. */
  recover(input: z.infer<typeof recoverInput>, by: Actor): Promise<Outcome<RecoveryPlanView>>;
  recovery(input: z.infer<typeof recoveryInput>, by: Actor): Promise<Outcome<RecoveryProgressView>>;
}
