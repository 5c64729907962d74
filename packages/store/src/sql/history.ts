// The decision log, receipts of deliveries, and how both are removed with observations.
import type { Reply } from '@drover/core';
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Cause } from '../port/people.ts';
import type { EventFilter, EventRow, FeedFilter, FeedPage, ReceiptRow, WorkerReceipt } from '../port/history.ts';
import type { Database } from '../tables/database.ts';
import { send } from '../connection/pipeline.ts';
import { instant } from '../connection/values.ts';
import { columnsWithout } from '../tables/columns.ts';
import type { Db, Trx } from './db.ts';
import { find, insertion } from './steps/rows.ts';
import { pruneAnnouncements } from './steps/announcements.ts';

/** The reply to a request that this worker was given before; null when it is new. */
export async function findReply(db: Trx, workerId: string, requestId: string): Promise<Reply | null> {
  return (await find(db, 'events', { workerId, requestId }, { columns: ['reply'] }))?.reply ?? null;
}

/** Reads the cause of a request to this worker; null where the cause is not known. */
export async function causeOfRequest(db: Trx, workerId: string, requestId: string): Promise<Cause | null> {
  return (await find(db, 'events', { workerId, requestId }, { columns: ['actor'] }))?.actor ?? null;
}

/** The worker that a request was given to the first time. */
export async function workerOfRequest(db: Db, requestId: string): Promise<string | null> {
  return (await find(db, 'events', { requestId }, { columns: ['workerId'], end: sql`limit 1` }))?.workerId ?? null;
}

/** The decision on a request of a worker in the log. */
export async function eventOfRequest(db: Db, workerId: string, requestId: string): Promise<number | null> {
  return (await find(db, 'events', { workerId, requestId }, { columns: ['id'] }))?.id ?? null;
}

/** Columns of the history that people read: the others are large. */
const TOLD = columnsWithout('events', 'kind', 'facts', 'outcome', 'stateBefore', 'quiet');

/** Lists events newest first. For one worker, all that is committed; for several, as far as a follower may go on after the newest. */
export async function listEvents(db: Db, filter: EventFilter): Promise<readonly EventRow[]> {
  return (await toldEvents(db, filter)).query.orderBy('id', 'desc').execute();
}

/** Lists lines oldest first, and only those that no transaction under way can come before. */
export async function followEvents(db: Db, filter: FeedFilter): Promise<FeedPage> {
  const { query, isBehind } = await toldEvents(db, filter);
  return { events: await query.where('id', '>', filter.after).orderBy('id').execute(), isBehind };
}

/**
 * Reads the lines that are shown, as far as they are settled. Lines of one worker always are: its row is locked from
 * before an id is given until the commit. The end is read by a statement of its own, before the rows: they must be
 * seen by a newer snapshot.
 */
async function toldEvents(db: Db, { of, limit }: EventFilter) {
  const told = db.selectFrom('events').select(TOLD).where('quiet', '=', false).limit(limit);
  if (of !== undefined && 'workerId' in of) return { query: told.where('workerId', '=', of.workerId), isBehind: false };
  const { rows } = await sql<{ settled: number; last: number }>`select settled, last from settled_events()`.execute(db);
  const { settled = 0, last = 0 } = rows[0] ?? {};
  const query = told.where('id', '<=', settled);
  return {
    query:
      of === undefined
        ? query
        : query.where('workerId', 'in', (from) =>
            from.selectFrom('workers').select('workers.id').where('projectId', '=', of.projectId),
          ),
    isBehind: settled < last,
  };
}

/** Keeps the evidence of attempts to deliver texts, in this order. */
export async function insertReceipts(db: Trx, rows: readonly WorkerReceipt[]): Promise<void> {
  if (rows.length > 0) await send(db, insertion('receipts', rows));
}

/** The last receipts of a worker, newest first. */
export async function listReceipts(db: Db, workerId: string, limit: number): Promise<readonly ReceiptRow[]> {
  const query = db.selectFrom('receipts').select(columnsWithout('receipts', 'id', 'workerId'));
  return query.where('workerId', '=', workerId).orderBy('id', 'desc').limit(limit).execute();
}

/**
 * Removes what was, or ended, before this time: history, receipts, ended tasks, checkpoints of removed workers,
 * questions and incidents that are over. Open rows stay at any age, with their errors. Removes at most so many rows of
 * each kind, those that an index has first.
 *
 * @returns whether nothing is left.
 */
export async function prune(db: Trx, before: number, rowsMax: number): Promise<boolean> {
  const time = instant(before);
  const counts = [await pruneAnnouncements(db, { before, rowsMax })];
  for (const [table, age, isOver] of AGES) {
    const { numAffectedRows } = await sql`delete from ${sql.table(table)} where ctid = any(array(
      select ctid from ${sql.table(table)} where ${sql.ref(age)} < ${time} and ${isOver}
      order by ${sql.ref(age)} limit ${rowsMax}))`.execute(db);
    counts.push(Number(numAffectedRows ?? 0));
  }
  return counts.every((count) => count < rowsMax);
}

/** The incident of a row is gone, or it never had one. */
const ofNoIncident = sql<boolean>`not exists (select from incidents where incidents.id = incident_id)`;
/** The worker of a row was removed, so long ago that the history does not know it any more. */
const ofForgottenWorker = sql<boolean>`not exists (select from workers where workers.id = worker_id)
  and not exists (select from events where events.worker_id = checkpoints.worker_id)`;
/** The last count of a worker may go on at any time, and its next report is a sum over all its days. */
const ofFormerCount = sql<boolean>`(not exists (select from workers where workers.id = worker_id)
  or exists (select from usage as newer where newer.worker_id = usage.worker_id and newer.since > usage.since))`;
const ANY = sql<boolean>`true`;

/**
 * Tables whose rows end, the column with the time of the end, and the condition of rows that are over. Incidents come
 * before the rows kept with them.
 */
const AGES: readonly (readonly [table: keyof Database, age: string, isOver: RawBuilder<boolean>])[] = [
  ['observations', 'storedAt', ANY],
  ['refusedReports', 'lastAt', ANY],
  ['events', 'at', ANY],
  ['receipts', 'at', ANY],
  ['tasks', 'endedAt', ANY],
  ['usage', 'day', ofFormerCount],
  ['checkpoints', 'createdAt', ofForgottenWorker],
  ['apiTokens', 'expiresAt', ANY],
  ['silences', 'until', ANY],
  ['webhookDeliveries', 'createdAt', sql`state <> 'waiting'`],
  ['keptAnswers', 'at', ANY],
  ['incidents', 'closedAt', ANY],
  ['episodes', 'at', ofNoIncident],
  ['errors', 'at', ofNoIncident],
  ['escalations', 'updatedAt', sql`status in ('resolved', 'expired', 'cancelled')`],
  ['queueItems', 'updatedAt', sql`status in ('done', 'dropped')`],
  ['runs', 'endedAt', ANY],
];

/**
 * Removes from before this time screens, finished commands and their results (history tells them), decisions that
 * people do not read as history, and of the others the facts to replay them: a replay is exact from this time on.
 * Removes at most so many rows of each kind.
 *
 * @returns whether nothing is left.
 */
export async function thinHistory(db: Trx, before: number, rowsMax: number): Promise<boolean> {
  const time = instant(before);
  // Removes from each table the rows that its index over these alone has first.
  const { rows } = await sql<{ most: number }>`
    with screens as (
      delete from observations where ctid = any(array(select ctid from observations
        where kind in ('screen', 'result', 'answer') and stored_at < ${time} order by stored_at limit ${rowsMax}))
      returning 1
    ), given as (
      delete from commands where id = any(array(select id from commands
        where finished_at < ${time} order by finished_at limit ${rowsMax}))
      returning 1
    ), old as (
      select id, quiet from events where at < ${time} and outcome is not null order by at limit ${rowsMax}
    ), quiet as (
      delete from events where id = any(array(select id from old where quiet)) returning 1
    ), thinned as (
      update events set facts = null, outcome = null, state_before = null
      where id = any(array(select id from old where not quiet)) returning 1
    )
    select greatest((select count(*) from screens), (select count(*) from given), (select count(*) from old))::int as most,
      (select count(*) from quiet) + (select count(*) from thinned) as both`.execute(db);
  return (rows[0]?.most ?? 0) < rowsMax;
}
