// The columns of tasks.
import type { Instant, Json } from './columns.ts';

/** Tasks outlive their worker, so `worker_name` says who had it. */
export interface TaskTable {
  id: string;
  project_id: string;
  worker_id: string | null;
  worker_name: string;
  prompt: string;
  status: string;
  actor: Json<unknown>;
  created_at: Instant;
  ended_at: Instant | null;
}
