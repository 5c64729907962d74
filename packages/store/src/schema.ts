// Which columns do the tables have? Written by hand beside migrations/, and held against the migrated schema by a test.
import type { ColumnType, Generated, RawBuilder } from 'kysely';
import type { RecoveryTables } from './recovery-schema.ts';

/** A `timestamptz`: read as epoch milliseconds, written by `instant()`. */
export type Instant = number;
/** A `jsonb`: read as what it is, written by `json()`. */
export type Json<T> = ColumnType<T, T, T>;
/** A `bigint` that stays within the safe integers. */
export type Int8 = number;

/** `merge_worker_id` is the merge lease; `config` is a `ProjectConfig`. */
export interface ProjectTable {
  id: string;
  name: string;
  source: string;
  root: string;
  default_branch: string;
  config: Json<unknown>;
  merge_worker_id: string | null;
  created_at: Instant;
}

/** `session_epoch` rises with every hello; `stored_through` counts within `agent_epoch`. */
export interface MachineTable {
  id: string;
  name: string;
  public_key: string;
  facts: Json<unknown>;
  session_epoch: ColumnType<Int8, Int8 | undefined, Int8>;
  access_token_sha256: string | null;
  access_token_expires_at: Instant | null;
  dialled_url: string | null;
  revoked_at: Instant | null;
  rotate_since: Instant | null;
  agent_epoch: string | null;
  stored_through: ColumnType<Int8, Int8 | undefined, Int8>;
  version: string | null;
  last_seen_at: Instant | null;
  created_at: Instant;
}

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

/**
 * The decision log. Unique by (`worker_id`, `order_id`). `facts`, `outcome` and now and then `state_before` are what a
 * decision is taken again with; `quiet` rows are there for that alone.
 */
export interface EventTable {
  id: Generated<Int8>;
  worker_id: string;
  worker_name: string;
  at: Instant;
  order_id: string | null;
  actor: Json<unknown>;
  kind: string;
  event: Json<unknown>;
  rules: Json<unknown>;
  records: Json<unknown>;
  reply: Json<unknown>;
  status_before: string;
  status_after: string;
  policy: string | null;
  facts: Json<unknown>;
  outcome: string | null;
  state_before: Json<unknown>;
  quiet: Generated<boolean>;
}

/** What each person has seen of each worker's work; `reviewer` is the id of a token. Unique by both. */
export interface ReviewTable {
  worker_id: string;
  reviewer: string;
  base: string;
  head: string;
  tree: string;
  reviewed_at: Instant;
}

/** Whole policies by their version. None is ever changed. */
export interface PolicyTable {
  version: string;
  document: Json<unknown>;
  created_at: Instant;
}

/**
 * The outbox. `state` goes pending → sent → received (it stands in the machine's journal) → done, or to dropped. `seq` is
 * null for a query; `sent_epoch` is the epoch in which the machine was given it last.
 */
export interface CommandTable {
  id: string;
  machine_id: string;
  worker_id: string;
  seq: Int8 | null;
  body: Json<unknown>;
  seat: Json<unknown>;
  state: 'pending' | 'sent' | 'received' | 'done' | 'dropped';
  sent_epoch: Int8 | null;
  timeout_ms: Int8;
  result: Json<unknown>;
  created_at: Instant;
  finished_at: Instant | null;
}

/** Whatever must happen at a time. Unique by (`kind`, `key`). */
export interface DueWorkTable {
  kind: string;
  key: string;
  due_at: Instant;
  payload: Json<unknown>;
  attempts: Generated<number>;
  lease_until: Instant | null;
}

/** Evidence of deliveries; `receipt` is core's `Receipt`. */
export interface ReceiptTable {
  id: Generated<Int8>;
  worker_id: string;
  outgoing_id: string;
  purpose: string;
  outcome: string;
  receipt: Json<unknown>;
  at: Instant;
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
  created_at: Instant | null;
  expires_at: Instant;
  used_at: Instant | null;
}

/** Tokens with which people's tools speak, by their SHA-256. */
export interface ApiTokenTable {
  id: string;
  name: string;
  token_sha256: string;
  role: 'worker' | 'viewer' | 'responder' | 'operator' | 'admin';
  project_id: string | null;
  worker_id: string | null;
  expires_at: Instant | null;
  last_used_at: Instant | null;
  created_at: Instant;
}

/** Unique by (`chain`, `seq`). Only ever added to, which a trigger holds. */
export interface AuditTable {
  chain: string;
  seq: Int8;
  at: Instant;
  actor: string;
  body: string;
  hash: string;
}

/** The last row of each chain. */
export interface AuditHeadTable {
  chain: string;
  seq: Int8;
  hash: string;
}

/** `profiles`: agent profiles beside those of the build. */
export interface ProfileTable {
  name: string;
  revision: ColumnType<Int8, never, RawBuilder<Int8>>;
  document: Json<unknown>;
  updated_at: Instant;
}

/** Every table by its name. */
export interface Database extends RecoveryTables {
  projects: ProjectTable;
  fleet_identity: FleetIdentityTable;
  machines: MachineTable;
  workers: WorkerTable;
  tasks: TaskTable;
  observations: ObservationTable;
  events: EventTable;
  policies: PolicyTable;
  reviews: ReviewTable;
  commands: CommandTable;
  due_work: DueWorkTable;
  receipts: ReceiptTable;
  join_tokens: JoinTokenTable;
  api_tokens: ApiTokenTable;
  profiles: ProfileTable;
  audit: AuditTable;
  audit_heads: AuditHeadTable;
}
