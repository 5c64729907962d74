// Accounts: the limits that several workers share.
import { OPEN_ACCOUNT } from '@drover/core';
import type { AccountState } from '@drover/core';
import type { Kysely, Transaction } from 'kysely';
import type { AccountRow } from '../port/accounts.ts';
import type { Database } from '../tables/database.ts';
import { send } from '../connection/pipeline.ts';
import { instant, json } from '../connection/values.ts';

/** Locks the account until the end of the transaction; an unknown account is created, open. */
export async function lockAccount(trx: Transaction<Database>, key: string, now: number): Promise<AccountRow> {
  await send(
    trx,
    trx
      .insertInto('accounts')
      .values({ key, state: json<unknown>(OPEN_ACCOUNT), updated_at: instant(now) })
      .onConflict((conflict) => conflict.column('key').doNothing()),
  );
  const row = await trx.selectFrom('accounts').selectAll().where('key', '=', key).forUpdate().executeTakeFirstOrThrow();
  return { key, state: row.state as AccountState, updatedAt: row.updated_at };
}

/** @returns null for an unknown account. */
export async function readAccount(trx: Transaction<Database>, key: string): Promise<AccountRow | null> {
  const row = await trx.selectFrom('accounts').selectAll().where('key', '=', key).executeTakeFirst();
  return row === undefined ? null : { key, state: row.state as AccountState, updatedAt: row.updated_at };
}

/** The caller holds the row's lock. */
export async function saveAccount(trx: Transaction<Database>, { key, state, updatedAt }: AccountRow): Promise<void> {
  await send(
    trx,
    trx
      .updateTable('accounts')
      .set({ state: json<unknown>(state), updated_at: instant(updatedAt) })
      .where('key', '=', key),
  );
}

/** All accounts by key. */
export async function listAccounts(db: Kysely<Database>): Promise<readonly AccountRow[]> {
  const rows = await db.selectFrom('accounts').selectAll().orderBy('key').execute();
  return rows.map(({ key, state, updated_at: updatedAt }) => ({ key, state: state as AccountState, updatedAt }));
}
