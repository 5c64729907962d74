/** What do clients send about checkpoints? */
import { uuid } from '@drover/protocol';
import { z } from 'zod';
import { workerName } from './inputs.ts';

/** An id, or enough of its beginning or end to be the only one. */
const someId = z
  .string()
  .max(36)
  .regex(/^[0-9a-f-]{4,36}$/i, "The id is the beginning or the end of a checkpoint's id, at least 4 characters")
  .transform((id) => id.toLowerCase());

/** Asks for the checkpoints of a worker, or of all, newest first. */
export const checkpointsInput = z.object({
  worker: workerName.optional(),
  limit: z.number().int().min(1).max(1_000),
});

/** Names one checkpoint. */
export const checkpointInput = z.object({ id: someId });

/** Orders one; without a name, of the only worker that there is. */
export const createCheckpointInput = z.object({
  orderId: uuid,
  worker: workerName.optional(),
  why: z.string().trim().min(1, 'The reason is empty: leave it out, or say one').max(500).optional(),
});

/**
 * Brings a worker back; without a name, the only one in `error`. Without a checkpoint, to the newest whole one of its own.
 * With `dryRun` nothing is ordered. `resetAgent`: its agent begins a new conversation.
 */
export const recoverInput = z.object({
  orderId: uuid,
  worker: workerName.optional(),
  checkpoint: someId.optional(),
  resetAgent: z.boolean(),
  dryRun: z.boolean(),
});

/** Asks how far an order to recover has come. */
export const recoveryInput = z.object({ orderId: uuid, worker: workerName });
