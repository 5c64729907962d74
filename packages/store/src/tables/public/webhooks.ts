// The columns of webhooks.
import type { Instant, Int8, Json } from '../columns.ts';

/** Where programs outside want to be called. */
export interface WebhookEndpointTable {
  id: string;
  name: string;
  url: string;
  types: Json<unknown>;
  format: 'standard' | 'text';
  project_id: string | null;
  secret: string;
  old_secret: string | null;
  old_secret_until: Instant | null;
  cursor: Int8;
  failing_since: Instant | null;
  disabled_at: Instant | null;
  disabled_why: string | null;
  lease_holder: string | null;
  lease_until: Instant | null;
  created_at: Instant;
}

/** What an endpoint is to be told. Unique by `endpoint_id` and `announcement_id`. */
export interface WebhookDeliveryTable {
  id: string;
  endpoint_id: string;
  announcement_id: Int8 | null;
  body: Json<unknown>;
  state: 'waiting' | 'delivered' | 'dead';
  tries: number;
  next_at: Instant | null;
  created_at: Instant;
}

/** How an attempt ended. */
export interface WebhookAttemptTable {
  delivery_id: string;
  number: number;
  at: Instant;
  duration_ms: number;
  status: number | null;
  error: string | null;
}
