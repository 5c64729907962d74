// Describes webhooks: the addresses that programs outside want called, and the deliveries to each. Times are epoch
// milliseconds.

/** Address at which somebody wants to be called. */
export interface WebhookEndpoint {
  readonly id: string;
  readonly name: string;
  readonly url: string;
  /** Types of announcements, such as `escalation` or `worker.status`; empty: all. */
  readonly types: readonly string[];
  /** `text`: the body is `{"text": …}`, as the hooks of chats take it. */
  readonly format: 'standard' | 'text';
  /** Null: of all projects. */
  readonly projectId: string | null;
  readonly secret: string;
  /** Signs too, until `oldSecretUntil`. */
  readonly oldSecret: string | null;
  readonly oldSecretUntil: number | null;
  /** The last announcement that was looked at. */
  readonly cursor: number;
  /** Time since when every try failed; null: the last attempt was accepted. */
  readonly failingSince: number | null;
  readonly disabledAt: number | null;
  readonly disabledWhy: string | null;
  readonly createdAt: number;
}

/** Delivery to an endpoint. Its id is that of the message, in every attempt. */
export interface WebhookDelivery {
  readonly id: string;
  readonly endpointId: string;
  /** Null: a test. */
  readonly announcementId: number | null;
  readonly body: unknown;
  readonly state: 'waiting' | 'delivered' | 'dead';
  /** Attempts so far. A replay begins again with none. */
  readonly tries: number;
  /** Time of the next try; null: not any more. */
  readonly nextAt: number | null;
  readonly createdAt: number;
}

/** End of an attempt: with a status, or before there was one. */
export interface WebhookAttempt {
  readonly deliveryId: string;
  /** Counted from 1, also beyond a replay. */
  readonly number: number;
  readonly at: number;
  readonly durationMs: number;
  readonly status: number | null;
  readonly error: string | null;
}
