// The error log, and the episodes of recovery.
import { sql } from 'kysely';
import type {
  EpisodeFilter,
  EpisodeRow,
  ErrorFilter,
  ErrorRow,
  Evidence,
  ListedError,
  LooseEnd,
  LooseErrors,
} from '../../port/incidents.ts';
import { send } from '../../connection/pipeline.ts';
import { instant, isOneOf, isPartOfId } from '../../connection/values.ts';
import { columnsOf, columnsWithout } from '../../tables/columns.ts';
import type { Db, Trx } from '../db.ts';

/** A row as the port has it: a few of its columns have the names that core gives them. */
const READ = [
  ...columnsWithout('errors', 'workerName', 'taskId', 'runId', 'at', 'causeId').map(
    (name) => `errors.${name}` as const,
  ),
  'errors.workerName as worker',
  'errors.taskId as task',
  'errors.runId as run',
  'errors.at as timestamp',
  'errors.causeId as cause',
] as const;

/** Adds rows to the error log, in this order. */
export async function insertErrors(db: Trx, rows: readonly ErrorRow[]): Promise<void> {
  if (rows.length === 0) return;
  const written = rows.map(({ worker: workerName, task: taskId, run: runId, timestamp: at, cause: causeId, ...rest }) =>
    columnsOf('errors', { ...rest, workerName, taskId, runId, at, causeId }),
  );
  await send(db, db.insertInto('errors').values(written));
}

/** Saves evidence of an error that came after the error was written; an unknown id changes nothing. */
export async function saveEvidence(db: Trx, errorId: string, evidence: Evidence): Promise<void> {
  await send(db, db.updateTable('errors').set(columnsOf('errors', { evidence })).where('id', '=', errorId));
}

/** Reads one row of the error log; null: there is none with this id. */
export async function readError(db: Trx, id: string): Promise<ErrorRow | null> {
  return (await db.selectFrom('errors').select(READ).where('id', '=', id).executeTakeFirst()) ?? null;
}

/** The newest error of an incident, the cause of the next one; null when it has none. */
export async function lastErrorOf(db: Trx, incidentId: string): Promise<string | null> {
  const row = await db
    .selectFrom('errors')
    .select('id')
    .where('incidentId', '=', incidentId)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.id ?? null;
}

/** Marks the errors of an incident that are not marked yet. */
export async function markErrorsRecovered(db: Trx, incidentId: string, recoveredAt: number): Promise<void> {
  await send(
    db,
    db
      .updateTable('errors')
      .set(columnsOf('errors', { recovered: true, recoveredAt }))
      .where('incidentId', '=', incidentId)
      .where('recovered', '=', false),
  );
}

/** Ends those of a worker that belong to no incident and are open. */
export async function endLooseErrors(db: Trx, which: LooseErrors, { outcome, at }: LooseEnd): Promise<void> {
  const { workerId, component, task } = which;
  let query = db
    .updateTable('errors')
    .set(outcome === 'recovered' ? { recovered: true, recoveredAt: instant(at) } : { calledOffAt: instant(at) })
    .where('workerId', '=', workerId)
    .where('incidentId', 'is', null)
    .where(sql<boolean>`starts_with(component, ${component})`)
    .where('recovered', '=', false)
    .where('calledOffAt', 'is', null);
  if (task !== undefined) query = query.where('taskId', '=', task);
  await send(db, query);
}

/** Lists errors, newest first. */
export async function listErrors(db: Db, filter: ErrorFilter): Promise<readonly ListedError[]> {
  let query = db
    .selectFrom('errors')
    .leftJoin('incidents', 'incidents.id', 'errors.incidentId')
    .select(READ)
    .select('incidents.outcome as outcome')
    .orderBy('errors.at', 'desc')
    .orderBy('errors.id', 'desc');
  if (filter.workerIds !== undefined) query = query.where(isOneOf('errors.workerId', filter.workerIds));
  if (filter.workerName !== undefined) query = query.where('errors.workerName', '=', filter.workerName);
  if (filter.incidentId !== undefined) query = query.where('errors.incidentId', '=', filter.incidentId);
  if (filter.idPart !== undefined) query = query.where(isPartOfId('errors.id', filter.idPart));
  if (filter.code !== undefined) query = query.where('errors.code', '=', filter.code);
  if (filter.since !== undefined) query = query.where('errors.at', '>=', instant(filter.since));
  if (filter.open === true)
    query = query
      .where('errors.recovered', '=', false)
      .where('errors.calledOffAt', 'is', null)
      .where('incidents.outcome', 'is', null);
  const { after } = filter;
  if (after !== undefined)
    query = query.where(sql<boolean>`(errors.at, errors.id) < (${instant(after.at)}, ${after.id}::uuid)`);
  return (await query.limit(filter.limit).execute()).map((row) => ({
    ...row,
    outcome: row.outcome ?? (row.calledOffAt === null ? null : 'cancelled'),
  }));
}

/** Adds lines to the episodes of workers, in this order. */
export async function insertEpisodes(db: Trx, rows: readonly Omit<EpisodeRow, 'id'>[]): Promise<void> {
  if (rows.length === 0) return;
  await send(db, db.insertInto('episodes').values(rows.map((row) => columnsOf('episodes', row))));
}

/** Lists episodes, newest first. */
export async function listEpisodes(db: Db, filter: EpisodeFilter): Promise<readonly EpisodeRow[]> {
  let query = db.selectFrom('episodes').selectAll().orderBy('id', 'desc');
  if (filter.workerIds !== undefined) query = query.where(isOneOf('workerId', filter.workerIds));
  if (filter.workerName !== undefined) query = query.where('workerName', '=', filter.workerName);
  if (filter.incidentId !== undefined) query = query.where('incidentId', '=', filter.incidentId);
  if (filter.since !== undefined) query = query.where('at', '>=', instant(filter.since));
  return query.limit(filter.limit).execute();
}
