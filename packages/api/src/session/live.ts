/** Messages of the WebSocket `/live`: the rows that a dashboard shows, then those that change. */
import type { EscalationView } from '../escalations.ts';
import type { WorkerView } from '../workers/workers.ts';

/** Rows by their kind. */
export interface LiveRows {
  readonly workers: readonly WorkerView[];
  /** Questions that wait for an answer. */
  readonly questions: readonly EscalationView[];
}

/** `at`: the coordinator's time at which the rows were read, epoch milliseconds. */
export type LiveMessage =
  /** All rows; the rows of before are void. */
  | ({ readonly kind: 'snapshot'; readonly at: number } & LiveRows)
  /** New and changed rows, and the ids of rows that are gone. */
  | ({ readonly kind: 'changed'; readonly at: number; readonly gone: readonly string[] } & LiveRows)
  /** No row has changed. */
  | { readonly kind: 'alive'; readonly at: number }
  /** The token was revoked, or has expired. */
  | { readonly kind: 'over'; readonly message: string };
