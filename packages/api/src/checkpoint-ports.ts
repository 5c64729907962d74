/** What does the API need for checkpoints? A part of `Fleet`. */
import type { z } from 'zod';
import type {
  checkpointInput,
  checkpointsInput,
  createCheckpointInput,
  recoverInput,
  recoveryInput,
} from './checkpoint-inputs.ts';
import type {
  CheckpointDetailView,
  CheckpointView,
  RecoveryPlanView,
  RecoveryProgressView,
} from './checkpoint-views.ts';
import type { Actor, Outcome } from './ports.ts';

type In<S extends z.ZodType> = z.infer<S>;

/** The use cases of checkpoints. */
export interface CheckpointFleet {
  listCheckpoints(input: In<typeof checkpointsInput>, by: Actor): Promise<Outcome<readonly CheckpointView[]>>;
  /** Asks the machine whether it is whole and what it holds. */
  checkpoint(input: In<typeof checkpointInput>, by: Actor): Promise<Outcome<CheckpointDetailView>>;
  /** Waits until it is there. */
  createCheckpoint(input: In<typeof createCheckpointInput>, by: Actor): Promise<Outcome<CheckpointView>>;
  /** Finds and verifies the point, then orders the way back unless it is a dry run. */
  recover(input: In<typeof recoverInput>, by: Actor): Promise<Outcome<RecoveryPlanView>>;
  recovery(input: In<typeof recoveryInput>, by: Actor): Promise<Outcome<RecoveryProgressView>>;
}
