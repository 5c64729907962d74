// Incidents: what went wrong, and what was done about it.
import { sql } from 'kysely';
import type { Selectable } from 'kysely';
import type { IncidentFilter } from '../port/incidents.ts';
import type { IncidentRow } from '../port/incidents.ts';
import type { IncidentTable } from '../tables/incidents.ts';
import { send } from '../connection/pipeline.ts';
import { instant, isOneOf } from '../connection/values.ts';
import type { Db } from './db.ts';
import { rowsOf } from './given.ts';
import type { Columns } from './given.ts';

/** Columns that are given of an incident. */
const INCIDENT = {
  id: 'uuid',
  worker: 'uuid',
  worker_name: 'text',
  task: 'uuid',
  code: 'text',
  level: 'bigint',
  attempts: 'bigint',
  opened: 'double precision',
  closed: 'double precision',
  outcome: 'text',
  tried: 'jsonb',
} satisfies Columns;

/** Adds each incident, or writes what changes of one; none is named twice. The end of an incident is final. */
export async function saveIncidents(db: Db, rows: readonly IncidentRow[]): Promise<void> {
  if (rows.length === 0) return;
  const given = rows.map((row) => ({
    id: row.id,
    worker: row.workerId,
    worker_name: row.workerName,
    task: row.taskId,
    code: row.code,
    level: row.level,
    attempts: row.attempts,
    opened: row.openedAt,
    closed: row.closedAt,
    outcome: row.outcome,
    tried: row.tried,
  }));
  await send(
    db,
    sql`insert into incidents (id, worker_id, worker_name, task_id, code, level, attempts, opened_at, closed_at, outcome, tried)
      select id, worker, worker_name, task, code, level, attempts, to_timestamp(opened / 1000), to_timestamp(closed / 1000), outcome, tried
      from (${rowsOf(INCIDENT, given)}) as incident order by nr
      on conflict (id) do update set level = excluded.level, attempts = excluded.attempts, tried = excluded.tried,
        closed_at = excluded.closed_at, outcome = excluded.outcome where incidents.closed_at is null`,
  );
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
