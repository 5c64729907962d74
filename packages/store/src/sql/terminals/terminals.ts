// Terminals whose ends have not met yet. Each step is one statement, so that of two that try it at once one succeeds.
import { sql } from 'kysely';
import { replicaChannel } from '../../port/terminals.ts';
import type { TerminalRow, TerminalStore, TerminalTransaction } from '../../port/terminals.ts';
import { send } from '../../connection/pipeline.ts';
import { instant } from '../../connection/values.ts';
import type { Db } from '../db.ts';

/** @returns false when too many of this token wait. */
export async function insertTerminal(
  db: Db,
  row: Parameters<TerminalTransaction['insertTerminal']>[0],
  { now, waitingMax }: Parameters<TerminalTransaction['insertTerminal']>[1],
): Promise<boolean> {
  await send(db, db.deleteFrom('terminals').where('expires_at', '<=', instant(now)));
  const { numAffectedRows } = await sql`
    insert into terminals (id, secret_sha256, token_id, worker_id, machine_id, types, expires_at)
    select ${row.id}::uuid, ${row.secretSha256}, ${row.tokenId}::uuid, ${row.workerId}::uuid, ${row.machineId}::uuid,
      ${row.types}::boolean, ${instant(row.expiresAt)}::timestamptz
    where (select count(*) from terminals where token_id = ${row.tokenId}::uuid) < ${waitingMax}::integer`.execute(db);
  return (numAffectedRows ?? 0n) > 0n;
}

/** A person comes. */
export async function joinTerminal(
  db: Db,
  { secretSha256, tokenId, replica, now }: Parameters<TerminalStore['joinTerminal']>[0],
): Promise<TerminalRow | null> {
  const row = await db
    .updateTable('terminals')
    .set({ secret_sha256: null, replica })
    .where('secret_sha256', '=', secretSha256)
    .where('token_id', '=', tokenId)
    .where('expires_at', '>', instant(now))
    .returningAll()
    .executeTakeFirst();
  return row === undefined ? null : rowOf(row);
}

/** The machine comes. */
export async function meetTerminal(
  db: Db,
  { id, machineId, now }: Parameters<TerminalStore['meetTerminal']>[0],
): ReturnType<TerminalStore['meetTerminal']> {
  const row = await db
    .deleteFrom('terminals')
    .where('id', '=', id)
    .where('machine_id', '=', machineId)
    .where('replica', 'is not', null)
    .where('expires_at', '>', instant(now))
    .returningAll()
    .executeTakeFirst();
  return row?.replica == null ? null : { ...rowOf(row), replica: row.replica };
}

/** In one statement: the texts arrive in their order. */
export async function carry(db: Db, replica: string, texts: readonly string[]): Promise<void> {
  await send(
    db,
    sql`select pg_notify(${replicaChannel(replica)}, text)
    from unnest(${[...texts]}::text[]) with ordinality as texts (text, number) order by number`,
  );
}

function rowOf(row: {
  readonly id: string;
  readonly worker_id: string;
  readonly machine_id: string;
  readonly token_id: string;
  readonly types: boolean;
  readonly expires_at: number;
}): TerminalRow {
  return {
    id: row.id,
    workerId: row.worker_id,
    machineId: row.machine_id,
    tokenId: row.token_id,
    types: row.types,
    expiresAt: row.expires_at,
  };
}
