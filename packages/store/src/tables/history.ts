// The columns of the decision log and of receipts.
import type { Generated } from 'kysely';
import type { Instant, Int8, Json } from './columns.ts';

/**
 * The decision log. Unique by (`worker_id`, `request_id`). `facts`, `outcome` and now and then `state_before` are what a
 * decision is taken again with; `quiet` rows are there for that alone.
 */
export interface EventTable {
  id: Generated<Int8>;
  worker_id: string;
  worker_name: string;
  at: Instant;
  request_id: string | null;
  actor: Json<unknown>;
  kind: string;
  event: Json<unknown>;
  rules: Json<unknown>;
  records: Json<unknown>;
  reply: Json<unknown>;
  status_before: string;
  status_after: string;
  policy: string;
  facts: Json<unknown>;
  outcome: string | null;
  state_before: Json<unknown>;
  quiet: Generated<boolean>;
}

/** Evidence of deliveries; `receipt` is core's `Receipt`. */
export interface ReceiptTable {
  id: Generated<Int8>;
  worker_id: string;
  text_id: string;
  purpose: string;
  outcome: string;
  receipt: Json<unknown>;
  at: Instant;
}
