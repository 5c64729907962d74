// The columns of reviews.
import type { Instant } from './columns.ts';

/** What each person has seen of each worker's work; `reviewer` is the id of a token. Unique by both. */
export interface ReviewTable {
  worker_id: string;
  reviewer: string;
  base: string;
  head: string;
  tree: string;
  reviewed_at: Instant;
}
