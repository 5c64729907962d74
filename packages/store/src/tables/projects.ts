// The columns of projects.
import type { Instant, Json } from './columns.ts';

/** `removed_at`: since when it is kept for its history alone. `merge_worker_id` is the merge lease; `config` is a `ProjectConfig`, `trust` a `Trust`. */
export interface ProjectTable {
  id: string;
  name: string;
  source: string;
  root: string | null;
  default_branch: string;
  config: Json<unknown>;
  merge_worker_id: string | null;
  created_at: Instant;
  removed_at: Instant | null;
  trust: Json<unknown>;
}
