// The decision log, receipts of deliveries, and how both are removed with observations.
import type { Reply } from '@drover/core';
import { sql } from 'kysely';
import type { RawBuilder, Selectable } from 'kysely';
import type { Cause } from '../port/people.ts';
import type { EventFilter, EventRow, FeedFilter, FeedPage, ReceiptRow, WorkerReceipt } from '../port/history.ts';
import type { Database } from '../tables/database.ts';
import type { EventTable } from '../tables/history.ts';
import { send } from '../connection/pipeline.ts';
import { instant } from '../connection/values.ts';
import type { Db } from './db.ts';
import { rowsOf } from './given.ts';
import type { Columns } from './given.ts';
import { pruneAnnouncements } from './public/announcements.ts';

/** The reply to a request that this worker was given before; null when it is new. */
export async function findReply(db: Db, workerId: string, requestId: string): Promise<Reply | null> {
  const row = await db
    .selectFrom('events')
    .select('reply')
    .where('worker_id', '=', workerId)
    .where('request_id', '=', requestId)
    .executeTakeFirst();
  return row === undefined ? null : (row.reply as Reply);
}

/** Who made a request of this worker; null where that is not known. */
export async function causeOfRequest(db: Db, workerId: string, requestId: string): Promise<Cause | null> {
  const row = await db
    .selectFrom('events')
    .select('actor')
    .where('worker_id', '=', workerId)
    .where('request_id', '=', requestId)
    .executeTakeFirst();
  return (row?.actor ?? null) as Cause | null;
}

/** The worker that a request was given to the first time. */
export async function workerOfRequest(db: Db, requestId: string): Promise<string | null> {
  const row = await db
    .selectFrom('events')
    .select('worker_id')
    .where('request_id', '=', requestId)
    .limit(1)
    .executeTakeFirst();
  return row?.worker_id ?? null;
}

/** The decision on a request of a worker in the log. */
export async function eventOfRequest(db: Db, workerId: string, requestId: string): Promise<number | null> {
  const row = await db
    .selectFrom('events')
    .select('id')
    .where('worker_id', '=', workerId)
    .where('request_id', '=', requestId)
    .executeTakeFirst();
  return row?.id ?? null;
}

/** Columns of the history that people read: the others are large. */
const TOLD = [
  'id',
  'worker_id',
  'worker_name',
  'at',
  'request_id',
  'actor',
  'event',
  'rules',
  'records',
  'reply',
  'status_before',
  'status_after',
  'policy',
] as const;

function toEvent(row: Pick<Selectable<EventTable>, (typeof TOLD)[number]>): EventRow {
  return {
    id: row.id,
    workerId: row.worker_id,
    workerName: row.worker_name,
    at: row.at,
    requestId: row.request_id,
    actor: row.actor as EventRow['actor'],
    event: row.event as EventRow['event'],
    rules: row.rules as EventRow['rules'],
    records: row.records as EventRow['records'],
    reply: row.reply as EventRow['reply'],
    statusBefore: row.status_before as EventRow['statusBefore'],
    statusAfter: row.status_after as EventRow['statusAfter'],
    policy: row.policy,
  };
}

/** Newest first. */
export async function listEvents(db: Db, filter: EventFilter): Promise<readonly EventRow[]> {
  const query = (await toldEvents(db, filter)).query.orderBy('id', 'desc');
  return (await query.execute()).map(toEvent);
}

/** Oldest first, and only what no transaction under way can come before. */
export async function followEvents(db: Db, filter: FeedFilter): Promise<FeedPage> {
  const { query, isBehind } = await toldEvents(db, filter);
  const rows = await query.where('id', '>', filter.after).orderBy('id').execute();
  return { events: rows.map(toEvent), isBehind };
}

/**
 * The lines that are told, as far as they are settled. Those of one worker always are: its row is locked from before an id
 * is given until the commit. The end is read by a statement of its own, before the rows: they must be seen by a newer snapshot.
 */
async function toldEvents(db: Db, { of, limit }: EventFilter) {
  const told = db.selectFrom('events').select(TOLD).where('quiet', '=', false).limit(limit);
  if (of !== undefined && 'workerId' in of)
    return { query: told.where('worker_id', '=', of.workerId), isBehind: false };
  const { rows } = await sql<{ settled: number; last: number }>`select settled, last from settled_events()`.execute(db);
  const { settled = 0, last = 0 } = rows[0] ?? {};
  const query = told.where('id', '<=', settled);
  return {
    query:
      of === undefined
        ? query
        : query.where('worker_id', 'in', (from) =>
            from.selectFrom('workers').select('workers.id').where('project_id', '=', of.projectId),
          ),
    isBehind: settled < last,
  };
}

/** Columns that are given of a receipt. */
const RECEIPT = {
  worker: 'uuid',
  text_id: 'text',
  purpose: 'text',
  outcome: 'text',
  receipt: 'jsonb',
  at: 'double precision',
} satisfies Columns;

/** Keeps the evidence of deliveries, in this order. */
export async function insertReceipts(db: Db, rows: readonly WorkerReceipt[]): Promise<void> {
  if (rows.length === 0) return;
  const given = rows.map(({ workerId, textId, ...row }) => ({ ...row, worker: workerId, text_id: textId }));
  await send(
    db,
    sql`insert into receipts (worker_id, text_id, purpose, outcome, receipt, at)
      select worker, text_id, purpose, outcome, receipt, to_timestamp(at / 1000)
      from (${rowsOf(RECEIPT, given)}) as kept order by nr`,
  );
}

/** The last receipts of a worker, newest first. */
export async function listReceipts(db: Db, workerId: string, limit: number): Promise<readonly ReceiptRow[]> {
  const rows = await db
    .selectFrom('receipts')
    .selectAll()
    .where('worker_id', '=', workerId)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    textId: row.text_id,
    purpose: row.purpose,
    outcome: row.outcome,
    receipt: row.receipt as ReceiptRow['receipt'],
    at: row.at,
  }));
}

/** See the port. Each kind by the rows that an index has first. */
export async function prune(db: Db, before: number, rowsMax: number): Promise<boolean> {
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
const ANY = sql<boolean>`true`;

/** Tables whose rows end, the column that says since when, and which of them are over. Incidents come before what is kept with them. */
const AGES: readonly (readonly [table: keyof Database, age: string, isOver: RawBuilder<boolean>])[] = [
  ['observations', 'stored_at', ANY],
  ['refused_reports', 'last_at', ANY],
  ['events', 'at', ANY],
  ['receipts', 'at', ANY],
  ['tasks', 'ended_at', ANY],
  ['checkpoints', 'created_at', ofForgottenWorker],
  ['api_tokens', 'expires_at', ANY],
  ['silences', 'until', ANY],
  ['webhook_deliveries', 'created_at', sql`state <> 'waiting'`],
  ['kept_answers', 'at', ANY],
  ['incidents', 'closed_at', ANY],
  ['episodes', 'at', ofNoIncident],
  ['errors', 'at', ofNoIncident],
  ['escalations', 'updated_at', sql`status in ('resolved', 'expired', 'cancelled')`],
  ['queue_items', 'updated_at', sql`status in ('done', 'dropped')`],
];

/** From before a time in epoch milliseconds: see the port. */
export async function thinHistory(db: Db, before: number, rowsMax: number): Promise<boolean> {
  const time = instant(before);
  // Each by the rows that its index over these alone has first.
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
