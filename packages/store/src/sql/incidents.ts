// Incidents: what went wrong, and what was done about it.
import type { Selectable } from 'kysely';
import type { IncidentFilter } from '../port/incidents.ts';
import type { IncidentRow } from '../port/incidents.ts';
import type { IncidentTable } from '../tables/incidents.ts';
import { send } from '../connection/pipeline.ts';
import { instant, isOneOf, json } from '../connection/values.ts';
import type { Db } from './db.ts';

/** Adds an incident, or writes what changes of one. The end of an incident is final. */
export async function saveIncident(db: Db, row: IncidentRow): Promise<void> {
  const changing = changes(row);
  await send(
    db,
    db
      .insertInto('incidents')
      .values({
        id: row.id,
        worker_id: row.workerId,
        worker_name: row.workerName,
        task_id: row.taskId,
        code: row.code,
        opened_at: instant(row.openedAt),
        ...changing,
      })
      .onConflict((known) => known.column('id').doUpdateSet(changing).where('incidents.closed_at', 'is', null)),
  );
}

function changes({ level, attempts, tried, closedAt, outcome }: IncidentRow) {
  return {
    level,
    attempts,
    tried: json<unknown>(tried),
    closed_at: closedAt === null ? null : instant(closedAt),
    outcome,
  };
}

/** @returns null when there is none of this id. */
export async function readIncident(db: Db, id: string): Promise<IncidentRow | null> {
  const row = await db.selectFrom('incidents').selectAll().where('id', '=', id).executeTakeFirst();
  return row === undefined ? null : toIncident(row);
}

/** Newest first. */
export async function listIncidents(db: Db, filter: IncidentFilter): Promise<readonly IncidentRow[]> {
  let query = db.selectFrom('incidents').selectAll().orderBy('opened_at', 'desc').orderBy('id', 'desc');
  if (filter.workerId !== undefined) query = query.where('worker_id', '=', filter.workerId);
  if (filter.workerIds !== undefined) query = query.where(isOneOf('worker_id', filter.workerIds));
  if (filter.workerName !== undefined) query = query.where('worker_name', '=', filter.workerName);
  if (filter.since !== undefined) query = query.where('opened_at', '>=', instant(filter.since));
  if (filter.open === true) query = query.where('closed_at', 'is', null);
  return (await query.limit(filter.limit).execute()).map(toIncident);
}

function toIncident(row: Selectable<IncidentTable>): IncidentRow {
  return {
    id: row.id,
    workerId: row.worker_id,
    workerName: row.worker_name,
    taskId: row.task_id,
    code: row.code as IncidentRow['code'],
    level: row.level as IncidentRow['level'],
    attempts: row.attempts,
    openedAt: row.opened_at,
    closedAt: row.closed_at,
    outcome: row.outcome,
    tried: row.tried as IncidentRow['tried'],
  };
}
