// Terminals whose ends have not met yet. Each step is one statement, so that of two that try it at once one succeeds.
import { sql } from 'kysely';
import type { NotNull } from 'kysely';
import { replicaChannel } from '../../port/terminals.ts';
import type { TerminalRow } from '../../port/terminals.ts';
import { send } from '../../connection/pipeline.ts';
import { instant } from '../../connection/values.ts';
import { columnsWithout } from '../../tables/columns.ts';
import type { Db, Trx } from '../db.ts';

const READ = columnsWithout('terminals', 'secretSha256', 'replica');

/** @returns false when this token has so many that wait already; those whose time is over are removed. */
export async function insertTerminal(
  db: Trx,
  row: TerminalRow & { readonly secretSha256: string },
  { now, waitingMax }: { readonly now: number; readonly waitingMax: number },
): Promise<boolean> {
  await send(db, db.deleteFrom('terminals').where('expiresAt', '<=', instant(now)));
  const { numAffectedRows } = await sql`
    insert into terminals (id, secret_sha256, token_id, worker_id, machine_id, types, expires_at)
    select ${row.id}::uuid, ${row.secretSha256}, ${row.tokenId}::uuid, ${row.workerId}::uuid, ${row.machineId}::uuid,
      ${row.types}::boolean, ${instant(row.expiresAt)}::timestamptz
    where (select count(*) from terminals where token_id = ${row.tokenId}::uuid) < ${waitingMax}::integer`.execute(db);
  return (numAffectedRows ?? 0n) > 0n;
}

/**
 * A person comes, at a replica, with the one-time id: it is used up.
 *
 * @returns null for an unknown, used or late one, and for one of another token.
 */
export async function joinTerminal(
  db: Db,
  join: { readonly secretSha256: string; readonly tokenId: string; readonly replica: string; readonly now: number },
): Promise<TerminalRow | null> {
  const row = await db
    .updateTable('terminals')
    .set({ secretSha256: null, replica: join.replica })
    .where('secretSha256', '=', join.secretSha256)
    .where('tokenId', '=', join.tokenId)
    .where('expiresAt', '>', instant(join.now))
    .returning(READ)
    .executeTakeFirst();
  return row ?? null;
}

/** The machine comes: the row is used up. @returns where the person waits; null unless one waits for this very machine. */
export async function meetTerminal(
  db: Db,
  { id, machineId, now }: { readonly id: string; readonly machineId: string; readonly now: number },
): Promise<(TerminalRow & { readonly replica: string }) | null> {
  const row = await db
    .deleteFrom('terminals')
    .where('id', '=', id)
    .where('machineId', '=', machineId)
    .where('replica', 'is not', null)
    .where('expiresAt', '>', instant(now))
    .returning([...READ, 'replica'])
    .$narrowType<{ replica: NotNull }>()
    .executeTakeFirst();
  return row ?? null;
}

/** Sends texts to another replica, each at most `CARRIED_BYTES_MAX`. The replica hears them at once or never; one statement keeps their order. */
export async function carry(db: Db, replica: string, texts: readonly string[]): Promise<void> {
  await send(
    db,
    sql`select pg_notify(${replicaChannel(replica)}, text)
    from unnest(${[...texts]}::text[]) with ordinality as texts (text, number) order by number`,
  );
}
