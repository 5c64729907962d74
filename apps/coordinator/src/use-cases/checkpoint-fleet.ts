/** The use cases of checkpoints, bound to a context. */
import type { CheckpointFleet } from '@drover/api';
import { type CheckpointWaiters, createCheckpoint, listCheckpoints, showCheckpoint } from './checkpoints.ts';
import type { Context } from './context.ts';
import { recover } from './recover.ts';
import { recoveryProgress } from './recover-steps.ts';

/** A part of the fleet's use cases. */
export function createCheckpointFleet(ctx: Context, waiters: CheckpointWaiters): CheckpointFleet {
  return {
    listCheckpoints: (input) => listCheckpoints(ctx, input),
    checkpoint: ({ id }) => showCheckpoint(ctx, waiters, id),
    createCheckpoint: (input) => createCheckpoint(ctx, waiters, input),
    recover: (input) => recover(ctx, waiters, input),
    recovery: (input) => recoveryProgress(ctx, input),
  };
}
