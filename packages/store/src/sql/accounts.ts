// Accounts: the limits that several workers share.
import { OPEN_ACCOUNT } from '@drover/core';
import type { AccountRow } from '../port/accounts.ts';
import { send } from '../connection/pipeline.ts';
import { columnsOf } from '../tables/columns.ts';
import type { Db, Trx } from './db.ts';

/** Locks the account until the end of the transaction; an unknown account is created, open. */
export async function lockAccount(db: Trx, key: string, now: number): Promise<AccountRow> {
  await send(
    db,
    db
      .insertInto('accounts')
      .values(columnsOf('accounts', { key, state: OPEN_ACCOUNT, updatedAt: now }))
      .onConflict((conflict) => conflict.column('key').doNothing()),
  );
  return db.selectFrom('accounts').selectAll().where('key', '=', key).forUpdate().executeTakeFirstOrThrow();
}

/** Reads an account as it is, without a lock; null for an unknown one. */
export async function readAccount(db: Trx, key: string): Promise<AccountRow | null> {
  return (await db.selectFrom('accounts').selectAll().where('key', '=', key).executeTakeFirst()) ?? null;
}

/** The caller holds the row's lock. */
export async function saveAccount(db: Trx, row: AccountRow): Promise<void> {
  await send(db, db.updateTable('accounts').set(columnsOf('accounts', row)).where('key', '=', row.key));
}

/** Lists all accounts by key, without locks. */
export async function listAccounts(db: Db): Promise<readonly AccountRow[]> {
  return db.selectFrom('accounts').selectAll().orderBy('key').execute();
}
