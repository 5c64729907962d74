// Accounts: the limits that several workers share.
import { sql } from 'kysely';
import { OPEN_ACCOUNT } from '@drover/core';
import type { AccountRow } from '../port/accounts.ts';
import { send } from '../connection/pipeline.ts';
import type { Db, Trx } from './db.ts';
import { change, find, insertion, KEEP, LOCK, one } from './steps/rows.ts';

/** Locks the account until the end of the transaction; an unknown account is created, open. */
export async function lockAccount(db: Trx, key: string, now: number): Promise<AccountRow> {
  await send(db, insertion('accounts', [{ key, state: OPEN_ACCOUNT, quota: null, updatedAt: now }], KEEP));
  return one(db, sql<AccountRow>`select * from accounts where key = ${key} ${LOCK}`);
}

/** Reads an account as it is, without a lock; null for an unknown one. */
export async function readAccount(db: Trx, key: string): Promise<AccountRow | null> {
  return find(db, 'accounts', { key });
}

/** The caller holds the row's lock. */
export async function saveAccount(db: Trx, row: AccountRow): Promise<void> {
  await send(db, change('accounts', { key: row.key }, row));
}

/** Lists all accounts by key, without locks. */
export async function listAccounts(db: Db): Promise<readonly AccountRow[]> {
  return db.selectFrom('accounts').selectAll().orderBy('key').execute();
}
