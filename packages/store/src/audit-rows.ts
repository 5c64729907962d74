// What does the audit keep? Rows in chains, each with a hash over the one before.

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

/** Which rows, newest first. `actor` is the whole text or its last word, as people know it. */
export interface AuditFilter {
  readonly actor?: string;
  readonly since?: number;
  readonly limit: number;
}

/** Where a reader of all rows stands; null: at the beginning. */
export type AuditPlace = Pick<AuditRow, 'chain' | 'seq'> | null;
