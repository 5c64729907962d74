// Signs of life of machines, and whether their connections may go on: what idle machines cause.
import { sql } from 'kysely';
import type { MachineAccess, MachineCondition, MachineSession, Touched } from '../../port/machines.ts';
import { columnsOf } from '../../tables/columns.ts';
import type { Db } from '../db.ts';

/**
 * Notes a sign of life at this time, epoch milliseconds, with the machine's condition if the machine sent it, and
 * reads what waits for the machine: one statement, because an idle machine causes no other.
 *
 * @returns null, and notes nothing, when the session is over, or the machine is revoked or removed.
 */
export async function touchMachine(
  db: Db,
  { machineId, epoch, agentEpoch }: MachineSession,
  now: number,
  condition?: MachineCondition,
): Promise<Touched | null> {
  const row = await db
    .updateTable('machines')
    .set(columnsOf('machines', { lastSeenAt: now, ...(condition !== undefined && { condition }) }))
    .where('id', '=', machineId)
    .where('sessionEpoch', '=', epoch)
    .where('agentEpoch', 'is not distinct from', agentEpoch)
    .where('revokedAt', 'is', null)
    .returning([
      sql<boolean>`exists (select from commands where machine_id = machines.id
        and (state = 'pending' or (state = 'sent' and sent_epoch < machines.session_epoch)))`.as('hasCommands'),
      sql<number>`coalesce((select max(revision) from profiles), 0)`.as('profilesRevision'),
    ])
    .executeTakeFirst();
  return row ?? null;
}

/** Reads whether connections of these machines may go on; all at once, because every open connection asks for it. */
export async function listAccess(db: Db, ids: readonly string[]): Promise<readonly MachineAccess[]> {
  if (ids.length === 0) return [];
  return db
    .selectFrom('machines')
    .select(['id', 'sessionEpoch as epoch', 'revokedAt', 'accessTokenExpiresAt'])
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute();
}
