// The columns of the work queue.
import type { Instant, Json } from './columns.ts';

/** Unique by (`project_id`, `dedupe_key`) while open or taken. */
export interface QueueItemTable {
  id: string;
  project_id: string;
  priority: 'S0' | 'S1' | 'S2' | 'S3';
  title: string;
  body: string;
  class: string;
  dedupe_key: string;
  source: Json<unknown>;
  actor: Json<unknown>;
  status: 'open' | 'taken' | 'done' | 'dropped';
  worker_id: string | null;
  task_id: string | null;
  failures: number;
  occurrences: number;
  created_at: Instant;
  updated_at: Instant;
}
