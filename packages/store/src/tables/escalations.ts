// The columns of escalations and of the answers to them.
import type { Generated } from 'kysely';
import type { Instant, Json } from './columns.ts';

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
  asked: Generated<number>;
  version: number;
  occurrences: number;
  created_at: Instant;
  updated_at: Instant;
  acked_by: string | null;
  resolved_at: Instant | null;
  oncall: Json<unknown>;
}

/** What people said of questions, with what each was told. */
export interface EscalationResponseTable {
  request_id: string;
  escalation_id: string;
  kind: Generated<string>;
  asked: number;
  option: string | null;
  text: string | null;
  until: Instant | null;
  actor: Json<unknown>;
  reply: Json<unknown>;
  at: Instant;
}
