// Spans without calls about some questions.
import type { Selectable } from 'kysely';
import type { SilenceRow } from '../../port/channels.ts';
import type { SilenceTable } from '../../tables/channels.ts';
import { send } from '../../connection/pipeline.ts';
import { instant, json } from '../../connection/values.ts';
import type { Db } from '../db.ts';

/** Begins a silence. */
export async function insertSilence(db: Db, row: SilenceRow): Promise<void> {
  await send(
    db,
    db.insertInto('silences').values({
      id: row.id,
      project_id: row.projectId,
      worker_name: row.worker,
      machine_name: row.machine,
      code: row.code,
      reason: row.reason,
      until: instant(row.until),
      actor: json<unknown>(row.actor),
      created_at: instant(row.createdAt),
    }),
  );
}

/** Ends a silence before its time. @returns whether there was one. */
export async function deleteSilence(db: Db, id: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('silences').where('id', '=', id).executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

/** Writes its end and its reason. @returns whether there is one. */
export async function saveSilence(
  db: Db,
  { id, until, reason }: Pick<SilenceRow, 'id' | 'until' | 'reason'>,
): Promise<boolean> {
  const query = db
    .updateTable('silences')
    .set({ until: instant(until), reason })
    .where('id', '=', id);
  return (await query.executeTakeFirstOrThrow()).numUpdatedRows > 0n;
}

/** Those that are not over, the first to end first. */
export async function listSilences(db: Db, now: number): Promise<readonly SilenceRow[]> {
  const query = db.selectFrom('silences').selectAll().where('until', '>', instant(now));
  return (await query.orderBy('until').orderBy('id').execute()).map(toSilence);
}

function toSilence(row: Selectable<SilenceTable>): SilenceRow {
  return {
    id: row.id,
    projectId: row.project_id,
    worker: row.worker_name,
    machine: row.machine_name,
    code: row.code,
    reason: row.reason,
    until: row.until,
    actor: row.actor as SilenceRow['actor'],
    createdAt: row.created_at,
  };
}
