// Describes the checkpoints of a worker's work.
import type { CheckpointType, Worker } from '@drover/core';
import type { Cause } from './people.ts';

/** Checkpoint of a worker's work. `createdAt` is epoch milliseconds. */
export interface CheckpointRow {
  readonly id: string;
  readonly workerId: string;
  readonly workerName: string;
  readonly projectId: string;
  readonly taskId: string | null;
  readonly incidentId: string | null;
  readonly type: CheckpointType;
  /** Reason for people to read. */
  readonly why: string;
  /** Files with uncommitted changes; null where the machine did not say. */
  readonly files: number | null;
  /** Commit on a hidden ref; null where the machine had nothing to keep. */
  readonly commit: string | null;
  readonly base: string | null;
  readonly conversation: string | null;
  readonly prompt: string | null;
  readonly state: Worker;
  readonly machineId: string;
  /** Cause of the checkpoint. */
  readonly actor: Cause;
  readonly createdAt: number;
}

/** Filter of checkpoints, newest first. */
export interface CheckpointFilter {
  readonly projectId?: string;
  readonly workerId?: string;
  readonly workerName?: string;
  /** Place in the list after which rows are read. */
  readonly after?: { readonly at: number; readonly id: string };
  readonly limit: number;
}
