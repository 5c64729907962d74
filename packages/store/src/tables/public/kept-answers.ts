// The columns of kept answers.
import type { Instant, Json } from '../columns.ts';

/** Answers to requests with a key. Unique by `caller` and `key`; `status` is null until it is answered. */
export interface KeptAnswerTable {
  caller: string;
  key: string;
  id: string;
  request_sha256: string;
  status: number | null;
  body: Json<unknown>;
  at: Instant;
}
