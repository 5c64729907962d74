// Signs of life of machines, and whether their connections may go on: what idle machines cause.
import { sql } from 'kysely';
import type { MachineAccess, MachineCondition, MachineSession, Touched } from '../../port/machines.ts';
import type { Db } from '../db.ts';
import { has, setting } from '../steps/rows.ts';

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
  const session = has('machines', { id: machineId, sessionEpoch: epoch, agentEpoch, revokedAt: null });
  const { rows } =
    await sql<Touched>`update machines set ${setting('machines', { lastSeenAt: now, condition })} where ${session}
    returning exists (select from commands where machine_id = machines.id
        and (state = 'pending' or (state = 'sent' and sent_epoch < machines.session_epoch))) as has_commands,
      coalesce((select max(revision) from profiles), 0) as profiles_revision`.execute(db);
  return rows[0] ?? null;
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
