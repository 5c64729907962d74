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
import { isPartOfId } from '../../connection/values.ts';
import { columnsWithout } from '../../tables/columns.ts';
import type { Db, Trx } from '../db.ts';
import { change, find, has, insertion, isBehind, isOneOf, isSince, list } from '../steps/rows.ts';

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
  const written = rows.map((row) => {
    const { worker: workerName, task: taskId, run: runId, timestamp: at, cause: causeId, ...rest } = row;
    return { ...rest, workerName, taskId, runId, at, causeId };
  });
  if (rows.length > 0) await send(db, insertion('errors', written));
}

/** Saves evidence of an error that came after the error was written; an unknown id changes nothing. */
export async function saveEvidence(db: Trx, errorId: string, evidence: Evidence): Promise<void> {
  await send(db, change('errors', { id: errorId }, { evidence }));
}

/** Reads one row of the error log; null: there is none with this id. */
export async function readError(db: Trx, id: string): Promise<ErrorRow | null> {
  return (await db.selectFrom('errors').select(READ).where('id', '=', id).executeTakeFirst()) ?? null;
}

/** The newest error of an incident, the cause of the next one; null when it has none. */
export async function lastErrorOf(db: Trx, incidentId: string): Promise<string | null> {
  const end = sql`order by at desc, id desc limit 1`;
  return (await find(db, 'errors', { incidentId }, { columns: ['id'], end }))?.id ?? null;
}

/** Marks the errors of an incident that are not marked yet. */
export async function markErrorsRecovered(db: Trx, incidentId: string, recoveredAt: number): Promise<void> {
  await send(db, change('errors', { incidentId, recovered: false }, { recovered: true, recoveredAt }));
}

/** Ends those of a worker that belong to no incident and are open. */
export async function endLooseErrors(db: Trx, which: LooseErrors, { outcome, at }: LooseEnd): Promise<void> {
  const { workerId, component, task: taskId } = which;
  const open = has('errors', { workerId, incidentId: null, recovered: false, calledOffAt: null, taskId });
  const loose = sql<boolean>`${open} and starts_with(component, ${component})`;
  const ended = outcome === 'recovered' ? { recovered: true, recoveredAt: at } : { calledOffAt: at };
  await send(db, change('errors', loose, ended));
}

/** Lists errors, newest first. */
export async function listErrors(db: Db, filter: ErrorFilter): Promise<readonly ListedError[]> {
  const { workerIds, workerName, incidentId, idPart, code, since, open, after, limit } = filter;
  let query = db
    .selectFrom('errors')
    .leftJoin('incidents', 'incidents.id', 'errors.incidentId')
    .select(READ)
    .select('incidents.outcome as outcome')
    .orderBy('errors.at', 'desc')
    .orderBy('errors.id', 'desc')
    .where(has('errors', { workerName, incidentId, code }))
    .where(isOneOf('errors.workerId', workerIds))
    .where(isPartOfId('errors.id', idPart))
    .where(isSince('errors.at', since))
    .where(isBehind('errors.at', after, 'errors.id'));
  if (open === true)
    query = query.where(has('errors', { recovered: false, calledOffAt: null })).where('incidents.outcome', 'is', null);
  return (await query.limit(limit).execute()).map((row) => ({
    ...row,
    outcome: row.outcome ?? (row.calledOffAt === null ? null : 'cancelled'),
  }));
}

/** Adds lines to the episodes of workers, in this order. */
export async function insertEpisodes(db: Trx, rows: readonly Omit<EpisodeRow, 'id'>[]): Promise<void> {
  if (rows.length > 0) await send(db, insertion('episodes', rows));
}

/** Lists episodes, newest first. */
export async function listEpisodes(db: Db, filter: EpisodeFilter): Promise<readonly EpisodeRow[]> {
  const { workerIds, workerName, incidentId, since, limit } = filter;
  const [named, own] = [has('episodes', { workerName, incidentId }), isOneOf('workerId', workerIds)];
  const which = sql<boolean>`${named} and ${own} and ${isSince('at', since)}`;
  return list(db, 'episodes', which, { end: sql`order by id desc limit ${limit}` });
}
