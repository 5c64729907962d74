// Accounts with providers, which workers share.
import type { AccountState, Quota } from '@drover/core';

/** An account with a provider, which several workers share. `updatedAt` is epoch milliseconds. */
export interface AccountRow {
  readonly key: string;
  readonly state: AccountState;
  /** Rest of its limits as a worker's program told it last; null: none has told it. */
  readonly quota: Quota | null;
  readonly updatedAt: number;
}
