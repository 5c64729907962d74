// The columns of the outbox.
import type { Instant, Int8, Json } from './columns.ts';

/**
 * The outbox. `state` goes pending → sent → received (it is in the machine's journal) → done, or to dropped. `seq` is
 * null for a query; `sent_epoch` is the epoch in which the machine was given it last.
 */
export interface CommandTable {
  id: string;
  machine_id: string;
  worker_id: string;
  seq: Int8 | null;
  body: Json<unknown>;
  settings: Json<unknown>;
  state: 'pending' | 'sent' | 'received' | 'done' | 'dropped';
  sent_epoch: Int8 | null;
  timeout_ms: Int8;
  result: Json<unknown>;
  created_at: Instant;
  finished_at: Instant | null;
}
