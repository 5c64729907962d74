// The columns of checkpoints.
import type { Generated } from 'kysely';
import type { Instant, Json } from './columns.ts';

/** `state` is core's `Worker` as it was. */
export interface CheckpointTable {
  id: string;
  worker_id: string;
  worker_name: string;
  project_id: string;
  task_id: string | null;
  incident_id: string | null;
  type: string;
  why: Generated<string>;
  files: number | null;
  commit: string | null;
  base: string | null;
  conversation: string | null;
  prompt: string | null;
  state: Json<unknown>;
  machine_id: string;
  actor: Json<unknown>;
  created_at: Instant;
}
