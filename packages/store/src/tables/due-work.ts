// The columns of due work.
import type { Generated } from 'kysely';
import type { Instant, Json } from './columns.ts';

/** What must happen at a time. Unique by (`kind`, `key`). */
export interface DueWorkTable {
  kind: string;
  key: string;
  worker_id: string | null;
  due_at: Instant;
  payload: Json<unknown>;
  attempts: Generated<number>;
  lease_until: Instant | null;
  problem: Generated<string | null>;
}
