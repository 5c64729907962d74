// Which columns do the tables of recovery have? As schema.ts, of which this is a part.
import type { Generated } from 'kysely';
import type { Instant, Int8, Json } from './schema.ts';

/** `tried` is a list of core's `Alternative`. */
export interface IncidentTable {
  id: string;
  worker_id: string;
  worker_name: string;
  task_id: string | null;
  code: string;
  level: number;
  attempts: number;
  opened_at: Instant;
  closed_at: Instant | null;
  outcome: 'recovered' | 'escalated' | 'resolved' | 'cancelled' | null;
  tried: Json<unknown>;
}

/** The error log; `context` is core's `ErrorContext`. */
export interface ErrorTable {
  id: string;
  incident_id: string | null;
  code: string;
  category: string;
  severity: string;
  message: string;
  details: string | null;
  component: string;
  machine_id: string | null;
  machine: string | null;
  worker_id: string | null;
  worker_name: string | null;
  role: string | null;
  task_id: string | null;
  run_id: string | null;
  at: Instant;
  duration_ms: Int8 | null;
  detect_ms: Int8 | null;
  recoverable: boolean;
  retryable: boolean;
  retry_count: number;
  strategy: string | null;
  stack: string | null;
  context: Json<unknown>;
  cause_id: string | null;
  recovered: boolean;
  recovered_at: Instant | null;
  called_off_at: Instant | null;
}

/** One line for each attempt to recover, and for each beginning and end of a task. */
export interface EpisodeTable {
  id: Generated<Int8>;
  worker_id: string;
  worker_name: string;
  task_id: string | null;
  incident_id: string | null;
  at: Instant;
  kind: string;
  code: string | null;
  level: number | null;
  attempt: number | null;
  action: string;
  strategy: string | null;
  detail: Json<unknown>;
}

/** Unique by `dedupe_key` while open or acked. */
export interface EscalationTable {
  id: string;
  dedupe_key: string;
  incident_id: string | null;
  worker_id: string;
  worker_name: string;
  project_id: string;
  incarnation: string | null;
  level: number;
  severity: string;
  status: 'open' | 'acked' | 'resolved' | 'expired' | 'cancelled';
  title: string;
  body: string;
  context: Json<unknown>;
  question: Json<unknown>;
  resolution: Json<unknown>;
  application: 'pending' | 'applied' | 'rejected_stale' | 'failed' | null;
  members: Json<unknown>;
  version: number;
  occurrences: number;
  created_at: Instant;
  updated_at: Instant;
  acked_by: string | null;
  resolved_at: Instant | null;
}

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

/** `state` is core's `AccountState`. */
export interface AccountTable {
  key: string;
  state: Json<unknown>;
  updated_at: Instant;
}

/** Every table of recovery by its name. */
export interface RecoveryTables {
  incidents: IncidentTable;
  errors: ErrorTable;
  episodes: EpisodeTable;
  escalations: EscalationTable;
  checkpoints: CheckpointTable;
  queue_items: QueueItemTable;
  accounts: AccountTable;
}
