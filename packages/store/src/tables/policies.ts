// The columns of policies.
import type { Instant, Json } from './columns.ts';

/** Whole policies by their version. None is ever changed. */
export interface PolicyTable {
  version: string;
  document: Json<unknown>;
  created_at: Instant;
}
