// Accounts with providers, which workers share.
import type { AccountState } from '@drover/core';

/** An account with a provider, which several workers share. `updatedAt` is epoch milliseconds. */
export interface AccountRow {
  readonly key: string;
  readonly state: AccountState;
  readonly updatedAt: number;
}

/** What is done to accounts inside a transaction. */
export interface AccountTransaction {
  /** Locks the account until the end of the transaction; an unknown account is created, open. */
  lockAccount(key: string, now: number): Promise<AccountRow>;
  /** As it is, without a lock; null for an unknown one. */
  readAccount(key: string): Promise<AccountRow | null>;
  /** The same of all. */
  listAccounts(): Promise<readonly AccountRow[]>;
  /** The caller holds the row. */
  saveAccount(account: AccountRow): Promise<void>;
}

/** What is read or written of accounts by itself. */
export interface AccountStore {
  listAccounts(): Promise<readonly AccountRow[]>;
}
