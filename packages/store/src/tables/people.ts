// The columns of tokens and of the audit.
import type { Instant, Int8, Json } from './columns.ts';

/** Tokens with which people's tools speak, by their SHA-256. */
export interface ApiTokenTable {
  id: string;
  name: string;
  token_sha256: string;
  role: 'worker' | 'viewer' | 'responder' | 'operator' | 'admin';
  project_id: string | null;
  worker_id: string | null;
  channels: Json<readonly string[]> | null;
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
