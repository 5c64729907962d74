// The columns of machines, what they observed, and how they join.
import type { ColumnType, Generated } from 'kysely';
import type { Instant, Int8, Json } from './columns.ts';

/** `session_epoch` rises with every hello; `stored_through` counts within `agent_epoch`. */
export interface MachineTable {
  id: string;
  name: string;
  public_key: string;
  facts: Json<unknown>;
  places: Json<unknown>;
  session_epoch: ColumnType<Int8, Int8 | undefined, Int8>;
  access_token_sha256: string | null;
  access_token_expires_at: Instant | null;
  dialled_url: string | null;
  revoked_at: Instant | null;
  rotate_since: Instant | null;
  cordon: Json<unknown>;
  labels: Json<unknown>;
  capacity: number | null;
  address: string | null;
  condition: Json<unknown>;
  is_gateway: ColumnType<boolean, boolean | undefined, boolean>;
  ssh: Json<unknown>;
  agent_epoch: string | null;
  stored_through: ColumnType<Int8, Int8 | undefined, Int8>;
  version: string | null;
  last_seen_at: Instant | null;
  created_at: Instant;
}

/** Where a project lies on a machine. */
export interface CheckoutTable {
  machine_id: string;
  project_id: string;
  root: string;
  state: string;
  error: Json<unknown>;
  updated_at: Instant;
}

/** One row: the seed of the private key with which the coordinators of this database prove who they are. */
export interface FleetIdentityTable {
  only_one: Generated<boolean>;
  seed: string;
  created_at: Instant;
}

/** Tokens with which machines join, by their SHA-256. Each is used once. */
export interface JoinTokenTable {
  token_sha256: string;
  for_gateway: ColumnType<boolean, boolean | undefined, boolean>;
  created_at: Instant;
  expires_at: Instant;
  used_at: Instant | null;
}

/** Unique by (`machine_id`, `agent_epoch`, `seq`). */
export interface ObservationTable {
  machine_id: string;
  agent_epoch: string;
  seq: Int8;
  worker_id: string | null;
  kind: string;
  body: Json<unknown>;
  seen_at: Instant;
  stored_at: Instant;
}

/** Reports that were refused, by machine and reason. */
export interface RefusedReportTable {
  machine_id: string;
  reason: string;
  count: Int8;
  bytes: Int8;
  last_sha256: string;
  first_at: Instant;
  last_at: Instant;
}
