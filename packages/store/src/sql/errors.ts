// The error log, and the episodes of recovery.
import { sql } from 'kysely';
import type { Selectable } from 'kysely';
import type { EpisodeFilter, ErrorFilter, LooseEnd, LooseErrors } from '../port/incidents.ts';
import type { EpisodeRow, ErrorRow, Evidence, ListedError } from '../port/incidents.ts';
import type { EpisodeTable, ErrorTable } from '../tables/incidents.ts';
import { send } from '../connection/pipeline.ts';
import { instant, isOneOf, isPartOfId, json } from '../connection/values.ts';
import type { Db } from './db.ts';
import { rowsOf } from './given.ts';
import type { Columns } from './given.ts';

/** Columns that are given of an error; times are epoch milliseconds. */
const ERROR = {
  id: 'uuid',
  incident_id: 'uuid',
  code: 'text',
  category: 'text',
  severity: 'text',
  message: 'text',
  details: 'text',
  component: 'text',
  machine_id: 'uuid',
  machine: 'text',
  worker_id: 'uuid',
  worker_name: 'text',
  role: 'text',
  task_id: 'text',
  run_id: 'text',
  at: 'double precision',
  duration_ms: 'bigint',
  detect_ms: 'bigint',
  recoverable: 'boolean',
  retryable: 'boolean',
  retry_count: 'bigint',
  strategy: 'text',
  stack: 'text',
  context: 'jsonb',
  cause_id: 'uuid',
  recovered: 'boolean',
  recovered_at: 'double precision',
  called_off_at: 'double precision',
  evidence: 'jsonb',
} satisfies Columns;

/** The same of one error; what is named otherwise is given under the name of its column too. */
function givenError(row: ErrorRow): Record<keyof typeof ERROR, unknown> {
  return {
    ...row,
    incident_id: row.incidentId,
    machine_id: row.machineId,
    worker_id: row.workerId,
    worker_name: row.worker,
    task_id: row.task,
    run_id: row.run,
    at: row.timestamp,
    duration_ms: row.durationMs,
    detect_ms: row.detectMs,
    retry_count: row.retryCount,
    cause_id: row.cause,
    recovered_at: row.recoveredAt,
    called_off_at: row.calledOffAt,
  };
}

/** Adds rows to the error log. */
export async function insertErrors(db: Db, rows: readonly ErrorRow[]): Promise<void> {
  if (rows.length === 0) return;
  await send(
    db,
    sql`insert into errors (id, incident_id, code, category, severity, message, details, component, machine_id, machine, worker_id,
        worker_name, role, task_id, run_id, at, duration_ms, detect_ms, recoverable, retryable, retry_count, strategy, stack, context,
        cause_id, recovered, recovered_at, called_off_at, evidence)
      select id, incident_id, code, category, severity, message, details, component, machine_id, machine, worker_id,
        worker_name, role, task_id, run_id, to_timestamp(at / 1000), duration_ms, detect_ms, recoverable, retryable, retry_count, strategy,
        stack, context, cause_id, recovered, to_timestamp(recovered_at / 1000), to_timestamp(called_off_at / 1000), evidence
      from (${rowsOf(ERROR, rows.map(givenError))}) as error order by nr`,
  );
}

/** Writes what was learned of an error after it was written. */
export async function saveEvidence(db: Db, errorId: string, evidence: Evidence): Promise<void> {
  await send(
    db,
    db
      .updateTable('errors')
      .set({ evidence: json<unknown>(evidence) })
      .where('id', '=', errorId),
  );
}

/** One row of the error log; null: there is none with this id. */
export async function readError(db: Db, id: string): Promise<ErrorRow | null> {
  const row = await db.selectFrom('errors').selectAll().where('id', '=', id).executeTakeFirst();
  return row === undefined ? null : toError(row);
}

/** The id of the newest error of an incident; null when it has none. */
export async function lastErrorOf(db: Db, incidentId: string): Promise<string | null> {
  const row = await db
    .selectFrom('errors')
    .select('id')
    .where('incident_id', '=', incidentId)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.id ?? null;
}

/** Marks those that are not marked yet. */
export async function markErrorsRecovered(db: Db, incidentId: string, recoveredAt: number): Promise<void> {
  await send(
    db,
    db
      .updateTable('errors')
      .set({ recovered: true, recovered_at: instant(recoveredAt) })
      .where('incident_id', '=', incidentId)
      .where('recovered', '=', false),
  );
}

/** Ends those of a worker that belong to no incident and are open. */
export async function endLooseErrors(db: Db, which: LooseErrors, { outcome, at }: LooseEnd): Promise<void> {
  const { workerId, component, task } = which;
  let query = db
    .updateTable('errors')
    .set(outcome === 'recovered' ? { recovered: true, recovered_at: instant(at) } : { called_off_at: instant(at) })
    .where('worker_id', '=', workerId)
    .where('incident_id', 'is', null)
    .where(sql<boolean>`starts_with(component, ${component})`)
    .where('recovered', '=', false)
    .where('called_off_at', 'is', null);
  if (task !== undefined) query = query.where('task_id', '=', task);
  await send(db, query);
}

/** Newest first. */
export async function listErrors(db: Db, filter: ErrorFilter): Promise<readonly ListedError[]> {
  let query = db
    .selectFrom('errors')
    .leftJoin('incidents', 'incidents.id', 'errors.incident_id')
    .selectAll('errors')
    .select('incidents.outcome as outcome')
    .orderBy('errors.at', 'desc')
    .orderBy('errors.id', 'desc');
  if (filter.workerIds !== undefined) query = query.where(isOneOf('errors.worker_id', filter.workerIds));
  if (filter.workerName !== undefined) query = query.where('errors.worker_name', '=', filter.workerName);
  if (filter.incidentId !== undefined) query = query.where('errors.incident_id', '=', filter.incidentId);
  if (filter.idPart !== undefined) query = query.where(isPartOfId('errors.id', filter.idPart));
  if (filter.code !== undefined) query = query.where('errors.code', '=', filter.code);
  if (filter.since !== undefined) query = query.where('errors.at', '>=', instant(filter.since));
  if (filter.open === true)
    query = query
      .where('errors.recovered', '=', false)
      .where('errors.called_off_at', 'is', null)
      .where('incidents.outcome', 'is', null);
  const { after } = filter;
  if (after !== undefined)
    query = query.where(sql<boolean>`(errors.at, errors.id) < (${instant(after.at)}, ${after.id}::uuid)`);
  return (await query.limit(filter.limit).execute()).map((row) => {
    const error = toError(row);
    return { ...error, outcome: row.outcome ?? (error.calledOffAt === null ? null : 'cancelled') };
  });
}

function toError(row: Selectable<ErrorTable>): ErrorRow {
  return {
    id: row.id,
    incidentId: row.incident_id,
    code: row.code as ErrorRow['code'],
    category: row.category as ErrorRow['category'],
    severity: row.severity as ErrorRow['severity'],
    message: row.message,
    details: row.details,
    component: row.component,
    machineId: row.machine_id,
    machine: row.machine,
    workerId: row.worker_id,
    worker: row.worker_name,
    role: row.role,
    task: row.task_id,
    run: row.run_id,
    timestamp: row.at,
    durationMs: row.duration_ms,
    detectMs: row.detect_ms,
    recoverable: row.recoverable,
    retryable: row.retryable,
    retryCount: row.retry_count,
    strategy: row.strategy as ErrorRow['strategy'],
    stack: row.stack,
    context: row.context as ErrorRow['context'],
    cause: row.cause_id,
    recovered: row.recovered,
    recoveredAt: row.recovered_at,
    calledOffAt: row.called_off_at,
    evidence: row.evidence as ErrorRow['evidence'],
  };
}

/** Columns that are given of a line of the episodes. */
const EPISODE = {
  worker: 'uuid',
  worker_name: 'text',
  task: 'uuid',
  incident: 'uuid',
  at: 'double precision',
  kind: 'text',
  code: 'text',
  level: 'bigint',
  attempt: 'bigint',
  action: 'text',
  strategy: 'text',
  detail: 'jsonb',
} satisfies Columns;

/** Adds lines to the episodes of workers, in this order. */
export async function insertEpisodes(db: Db, rows: readonly Omit<EpisodeRow, 'id'>[]): Promise<void> {
  if (rows.length === 0) return;
  const given = rows.map(({ workerId, workerName, taskId, incidentId, ...line }) => {
    return { ...line, worker: workerId, worker_name: workerName, task: taskId, incident: incidentId };
  });
  await send(
    db,
    sql`insert into episodes (worker_id, worker_name, task_id, incident_id, at, kind, code, level, attempt, action, strategy, detail)
      select worker, worker_name, task, incident, to_timestamp(at / 1000), kind, code, level, attempt, action, strategy, detail
      from (${rowsOf(EPISODE, given)}) as episode order by nr`,
  );
}

/** Newest first. */
export async function listEpisodes(db: Db, filter: EpisodeFilter): Promise<readonly EpisodeRow[]> {
  let query = db.selectFrom('episodes').selectAll().orderBy('id', 'desc');
  if (filter.workerIds !== undefined) query = query.where(isOneOf('worker_id', filter.workerIds));
  if (filter.workerName !== undefined) query = query.where('worker_name', '=', filter.workerName);
  if (filter.incidentId !== undefined) query = query.where('incident_id', '=', filter.incidentId);
  if (filter.since !== undefined) query = query.where('at', '>=', instant(filter.since));
  return (await query.limit(filter.limit).execute()).map(toEpisode);
}

function toEpisode(row: Selectable<EpisodeTable>): EpisodeRow {
  return {
    id: row.id,
    workerId: row.worker_id,
    workerName: row.worker_name,
    taskId: row.task_id,
    incidentId: row.incident_id,
    at: row.at,
    kind: row.kind as EpisodeRow['kind'],
    code: row.code as EpisodeRow['code'],
    level: row.level as EpisodeRow['level'],
    attempt: row.attempt,
    action: row.action,
    strategy: row.strategy as EpisodeRow['strategy'],
    detail: row.detail as EpisodeRow['detail'],
  };
}
