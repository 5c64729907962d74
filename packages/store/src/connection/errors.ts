// Tells which database failures are transient.

/** The server undid the transaction because of another one: a repeat may go through. PostgreSQL, appendix A. */
const CONFLICTS = new Set(['40001', '40P01']);

/**
 * The connection is gone or could not be had. SQL states: the server is stopping, crashed, starting, or full.
 * System codes: refused, cut, or no socket there, as while a server restarts.
 */
const LOST = new Set(
  '57P01 57P02 57P03 53300 ECONNREFUSED ECONNRESET ECONNABORTED EPIPE ETIMEDOUT ENOENT EHOSTUNREACH ENETUNREACH EAI_AGAIN'.split(
    ' ',
  ),
);

/** Messages of `pg` 8.23 for a lost connection without a code. */
const LOST_WORDS =
  /^Connection terminated|connection error and is not queryable|timeout exceeded when trying to connect|timeout expired/;

/** Meaning of a failed statement or transaction for a retry. */
export type DatabaseFailure =
  /** Undone by the server for sure. */
  | 'conflict'
  /** The connection was lost. If this was during a commit, the outcome is unknown. */
  | 'lost-connection'
  /** Repeating will not help. */
  | 'permanent';

/** Sorts a failure thrown by `pg` or by Kysely over it. Looks into `cause` and into the parts of an AggregateError. */
export function failureKind(error: unknown): DatabaseFailure {
  if (!(error instanceof Error)) return 'permanent';
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (CONFLICTS.has(code)) return 'conflict';
  if (LOST.has(code) || code.startsWith('08') || LOST_WORDS.test(error.message)) return 'lost-connection';
  const parts: readonly unknown[] = error instanceof AggregateError ? error.errors : [error.cause];
  return parts.map(failureKind).find((kind) => kind !== 'permanent') ?? 'permanent';
}

/** Tells whether the same unit of work may succeed if retried. Only for units that may run twice: see `withRetry`. */
export function isRetryable(error: unknown): boolean {
  return failureKind(error) !== 'permanent';
}
