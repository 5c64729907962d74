// Accounts with providers, which workers share. `quota`: as a program told it last; null: none has. `updatedAt` is epoch milliseconds.
import type { AccountState, Quota } from '@drover/core';

export interface AccountRow {
  readonly key: string;
  readonly state: AccountState;
  readonly quota: Quota | null;
  readonly updatedAt: number;
}
