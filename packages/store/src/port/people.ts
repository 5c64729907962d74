// Describes tokens, actors and the audit.

/**
 * Cause of a change: a person or a worker by a token, a machine by what it saw, or the policy by itself. `id` is that
 * of the token or of the machine.
 */
export type Cause =
  | {
      readonly kind: 'person' | 'worker' | 'machine' | 'bot';
      readonly id: string;
      readonly name: string;
      /** The bot by which a person spoke. */
      readonly via?: string;
      /** Place where a person said it: `telegram:7`. */
      readonly place?: string;
    }
  | { readonly kind: 'policy' };

/** Token of the people's API, and its owner. */
export interface ApiToken {
  readonly id: string;
  readonly name: string;
  readonly role: 'worker' | 'viewer' | 'responder' | 'operator' | 'admin';
  /** The only project that it reaches; null: all of them. */
  readonly projectId: string | null;
  /** The only worker that it reaches; null: it is a person's. */
  readonly workerId: string | null;
  /** The channels for whose identities a bot speaks by it; absent or null: it is no bot's. */
  readonly channels?: readonly string[] | null;
  readonly expiresAt: number | null;
}

/** A token as it is listed. Times are epoch milliseconds; `lastUsedAt` is kept to the minute. */
export interface ListedToken extends ApiToken {
  readonly createdAt: number;
  readonly lastUsedAt: number | null;
}

/** The token of a worker: one for each, and a new one takes the place of the last. */
export interface WorkerToken {
  readonly id: string;
  /** The worker's. */
  readonly name: string;
  readonly workerId: string;
  readonly projectId: string;
  readonly sha256: string;
}

/** A row to be added at the end of its chain. `body` is the canonical JSON of everything, `at` and `actor` among it. */
export interface NewAudit {
  readonly chain: string;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly actor: string;
  readonly body: string;
}

/** A row of the audit. */
export interface AuditRow extends NewAudit {
  readonly seq: number;
  /** SHA-256 in hexadecimal digits: see `auditHash`. */
  readonly hash: string;
}

/** The last row of a chain. */
export interface AuditHead {
  readonly chain: string;
  readonly seq: number;
  readonly hash: string;
}

/** Filter of the audit, newest first. `actor` is the whole text or its last word, as people know it. */
export interface AuditFilter {
  readonly actor?: string;
  readonly since?: number;
  /** Place in the list after which rows are read. */
  readonly after?: Pick<AuditRow, 'at' | 'chain' | 'seq'>;
  readonly limit: number;
}

/** The last row that a reader of all rows has read; null: it is at the beginning. */
export type AuditPlace = Pick<AuditRow, 'chain' | 'seq'> | null;
