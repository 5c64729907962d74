// The columns of incidents, errors and episodes.
import type { Generated } from 'kysely';
import type { Instant, Int8, Json } from './columns.ts';

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
  evidence: Json<unknown> | null;
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
