// Signs of life of machines, and whether their connections may go on: what idle machines cause.
import { sql } from 'kysely';
import type { MachineAccess, MachineCondition, MachineSession, Touched } from '../../port/machines.ts';
import { instant, json } from '../../connection/values.ts';
import type { Db } from '../db.ts';

/**
 * Notes a sign of life at this time, epoch milliseconds, and looks what is there for the machine: one statement, because an idle machine
 * causes no other. @returns null when the session is over.
 */
export async function touchMachine(
  db: Db,
  { machineId, epoch, agentEpoch }: MachineSession,
  { now, condition }: { readonly now: number; readonly condition: MachineCondition | undefined },
): Promise<Touched | null> {
  const row = await db
    .updateTable('machines')
    .set({ last_seen_at: instant(now), ...(condition !== undefined && { condition: json<unknown>(condition) }) })
    .where('id', '=', machineId)
    .where('session_epoch', '=', epoch)
    .where('agent_epoch', 'is not distinct from', agentEpoch)
    .where('revoked_at', 'is', null)
    .returning([
      sql<boolean>`exists (select from commands where machine_id = machines.id
        and (state = 'pending' or (state = 'sent' and sent_epoch < machines.session_epoch)))`.as('has_commands'),
      sql<number>`coalesce((select max(revision) from profiles), 0)`.as('profiles_revision'),
    ])
    .executeTakeFirst();
  return row === undefined ? null : { hasCommands: row.has_commands, profilesRevision: row.profiles_revision };
}

/** What says whether connections of these machines may go on. */
export async function listAccess(db: Db, ids: readonly string[]): Promise<readonly MachineAccess[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom('machines')
    .select(['id', 'session_epoch', 'revoked_at', 'access_token_expires_at'])
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    epoch: row.session_epoch,
    revokedAt: row.revoked_at,
    accessTokenExpiresAt: row.access_token_expires_at,
  }));
}
