// Accounts in memory: the same as sql/accounts.ts.
import { OPEN_ACCOUNT } from '@drover/core';
import type { AccountRow } from '../../port/accounts.ts';
import type { MemoryDatabase } from './engine/database.ts';

/** An unknown account is created, open. */
export function lockAccount(db: MemoryDatabase, key: string, now: number): AccountRow {
  db.accounts.lock(key);
  const known = db.accounts.get(key);
  if (known !== undefined) return known;
  const row: AccountRow = { key, state: OPEN_ACCOUNT, quota: null, updatedAt: now };
  db.put(db.accounts, key, row);
  return row;
}

/** Lists all accounts by key. */
export function listAccounts(db: MemoryDatabase): readonly AccountRow[] {
  return [...db.accounts.values()].toSorted((one, other) => (one.key < other.key ? -1 : 1));
}
