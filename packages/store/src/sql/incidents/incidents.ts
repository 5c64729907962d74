// Reads and writes incidents: what went wrong, and what was done about it.
import type { IncidentFilter, IncidentRow } from '../../port/incidents.ts';
import { send } from '../../connection/pipeline.ts';
import { instant, isOneOf } from '../../connection/values.ts';
import { columnsOf } from '../../tables/columns.ts';
import type { Db, Trx } from '../db.ts';

/**
 * Adds incidents, or updates the level, attempts, alternatives, end and outcome of existing ones; none is named twice. A closed incident stays as
 * it is.
 */
export async function saveIncidents(db: Trx, rows: readonly IncidentRow[]): Promise<void> {
  if (rows.length === 0) return;
  await send(
    db,
    db
      .insertInto('incidents')
      .values(rows.map((row) => columnsOf('incidents', row)))
      .onConflict((known) =>
        known
          .column('id')
          .doUpdateSet(({ ref }) => ({
            level: ref('excluded.level'),
            attempts: ref('excluded.attempts'),
            tried: ref('excluded.tried'),
            closedAt: ref('excluded.closedAt'),
            outcome: ref('excluded.outcome'),
          }))
          .where('incidents.closedAt', 'is', null),
      ),
  );
}

/** @returns null when there is none of this id. */
export async function readIncident(db: Trx, id: string): Promise<IncidentRow | null> {
  return (await db.selectFrom('incidents').selectAll().where('id', '=', id).executeTakeFirst()) ?? null;
}

/** Lists incidents, newest first. */
export async function listIncidents(db: Db, filter: IncidentFilter): Promise<readonly IncidentRow[]> {
  let query = db.selectFrom('incidents').selectAll().orderBy('openedAt', 'desc').orderBy('id', 'desc');
  if (filter.workerId !== undefined) query = query.where('workerId', '=', filter.workerId);
  if (filter.workerIds !== undefined) query = query.where(isOneOf('workerId', filter.workerIds));
  if (filter.workerName !== undefined) query = query.where('workerName', '=', filter.workerName);
  if (filter.since !== undefined) query = query.where('openedAt', '>=', instant(filter.since));
  if (filter.open === true) query = query.where('closedAt', 'is', null);
  return query.limit(filter.limit).execute();
}
