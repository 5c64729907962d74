// The columns of people, of who they are in chats, and of what chats show.
import type { Instant, Json } from './columns.ts';

/** People, by their names. */
export interface PersonTable {
  id: string;
  name: string;
  role: 'viewer' | 'responder' | 'operator' | 'admin';
  project_id: string | null;
  created_at: Instant;
}

/** Who a channel says that somebody is. */
export interface IdentityTable {
  channel: string;
  subject: string;
  person_id: string;
  linked_at: Instant;
}

/** Codes of one use, by their SHA-256. */
export interface LinkCodeTable {
  sha256: string;
  person_id: string;
  expires_at: Instant;
}

/** Where questions are shown. */
export interface PlaceTable {
  channel: string;
  address: string;
  person_id: string | null;
  project_id: string | null;
  created_at: Instant;
  former_address: string | null;
}

/** One question at one place. */
export interface DeliveryTable {
  escalation_id: string;
  channel: string;
  address: string;
  shown: number;
  ref: string | null;
  pings_wanted: number;
  pings_given: number;
  holder: string | null;
  held_until: Instant | null;
  not_before: Instant | null;
  failures: number;
  error: string | null;
  is_final: boolean;
  created_at: Instant;
  shown_at: Instant | null;
}

/** Which process has the work of a channel. */
export interface ChannelLeaseTable {
  channel: string;
  holder: string;
  held_until: Instant;
}

/** Tests whether people are reached. */
export interface PlaceTestTable {
  id: string;
  channel: string;
  address: string;
  tried_by: string;
  created_at: Instant;
  given_at: Instant | null;
  outcome: 'shown' | 'failed' | null;
  error: string | null;
}

/** Spans without calls about some questions. */
export interface SilenceTable {
  id: string;
  project_id: string | null;
  worker_name: string | null;
  machine_name: string | null;
  code: string | null;
  reason: string;
  until: Instant;
  actor: Json<unknown>;
  created_at: Instant;
}
