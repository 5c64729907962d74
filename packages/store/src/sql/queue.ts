// Reads and writes the work queue: work left for later, and who does it.
import { sql } from 'kysely';
import type { QueueItemFilter, QueueItemRow } from '../port/queue.ts';
import { send } from '../connection/pipeline.ts';
import { instant } from '../connection/values.ts';
import type { Db, Trx } from './db.ts';
import { change, find, has, insertion, isOneOf, LOCK, one } from './steps/rows.ts';

/** Files an item. @returns `repeated`, having raised the occurrences, when one of its key is open or taken. */
export async function insertQueueItem(db: Trx, row: QueueItemRow): Promise<'filed' | 'repeated'> {
  const repeated = sql`on conflict (project_id, dedupe_key) where status in ('open', 'taken')
    do update set occurrences = queue_items.occurrences + 1, updated_at = excluded.updated_at returning id`;
  return (await one(db, insertion('queueItems', [row], repeated))).id === row.id ? 'filed' : 'repeated';
}

/** Locks an open item; null when it is not open any more, or another transaction is taking it. Never waits. */
export async function lockOpenQueueItem(db: Trx, id: string): Promise<QueueItemRow | null> {
  return find(db, 'queueItems', { id, status: 'open' }, { end: sql`for update skip locked` });
}

/** @returns null when there is none. */
export async function readQueueItem(db: Db, id: string): Promise<QueueItemRow | null> {
  return find(db, 'queueItems', { id });
}

/** Locks the row until the end of the transaction. */
export async function lockQueueItem(db: Trx, id: string): Promise<QueueItemRow | null> {
  return find(db, 'queueItems', { id }, { end: LOCK });
}

/** Writes everything that can change. The caller holds the row's lock. */
export async function saveQueueItem(db: Trx, row: QueueItemRow): Promise<void> {
  const { id, priority, title, body, status, workerId, taskId, failures, occurrences, updatedAt } = row;
  const changes = { priority, title, body, status, workerId, taskId, failures, occurrences, updatedAt };
  await send(db, change('queueItems', { id }, changes));
}

/** Lists items, most urgent first, then oldest; without locks. */
export async function listQueueItems(db: Db, filter: QueueItemFilter): Promise<readonly QueueItemRow[]> {
  const { projectId, status, after, limit } = filter;
  let query = db.selectFrom('queueItems').selectAll().orderBy('priority').orderBy('createdAt').orderBy('id');
  if (after !== undefined) {
    const place = sql`(${after.priority}, ${instant(after.createdAt)}, ${after.id}::uuid)`;
    query = query.where(sql<boolean>`(priority, created_at, id) > ${place}`);
  }
  return query.where(has('queueItems', { projectId })).where(isOneOf('status', status)).limit(limit).execute();
}
