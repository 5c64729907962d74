/** Binds the use cases of checkpoints to a context. */
import type { CheckpointFleet } from '@drover/api';
import { type CheckpointWaiters, createCheckpoint, listCheckpoints, showCheckpoint } from './checkpoints.ts';
import type { Context } from '../../context/context.ts';
import { recover } from './recover.ts';
import { recoveryProgress } from './recover-steps.ts';

export function createCheckpointFleet(ctx: Context, waiters: CheckpointWaiters): CheckpointFleet {
  return {
    listCheckpoints: (input, by) => listCheckpoints(ctx, input, by),
    checkpoint: ({ id }, by) => showCheckpoint(ctx, waiters, { id, by }),
    createCheckpoint: (input, by) => createCheckpoint(ctx, waiters, { ...input, by }),
    recover: (input, by) => recover(ctx, waiters, { ...input, by }),
    recovery: (input, by) => recoveryProgress(ctx, input, by),
  };
}
