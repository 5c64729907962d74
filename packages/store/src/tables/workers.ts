// The columns of workers.
import type { Instant, Int8, Json } from './columns.ts';

/** `state` is core's `Worker`; `status` repeats its status for queries. */
export interface WorkerTable {
  id: string;
  project_id: string;
  machine_id: string;
  name: string;
  options: Json<unknown>;
  state: Json<unknown>;
  status: string;
  version: Int8;
  created_at: Instant;
  updated_at: Instant;
}
