// The columns of accounts.
import type { Instant, Json } from './columns.ts';

/** `state` is core's `AccountState`. */
export interface AccountTable {
  key: string;
  state: Json<unknown>;
  updated_at: Instant;
}
