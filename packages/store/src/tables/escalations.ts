// The columns of escalations.
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
  version: number;
  occurrences: number;
  created_at: Instant;
  updated_at: Instant;
  acked_by: string | null;
  resolved_at: Instant | null;
}
