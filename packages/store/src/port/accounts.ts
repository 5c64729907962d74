// Accounts with providers, which workers share.
import type { AccountState } from '@drover/core';

/** An account with a provider, which several workers share. `updatedAt` is epoch milliseconds. */
export interface AccountRow {
  readonly key: string;
  readonly state: AccountState;
  readonly updatedAt: number;
}
