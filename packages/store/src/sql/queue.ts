// Reads and writes the work queue: work left for later, and who does it.
import { sql } from 'kysely';
import type { QueueItemFilter, QueueItemRow } from '../port/queue.ts';
import { send } from '../connection/pipeline.ts';
import { instant } from '../connection/values.ts';
import { columnsOf } from '../tables/columns.ts';
import type { Db, Trx } from './db.ts';

/** Files an item. @returns `repeated`, having raised the occurrences, when one of its key is open or taken. */
export async function insertQueueItem(db: Trx, row: QueueItemRow): Promise<'filed' | 'repeated'> {
  const { id } = await db
    .insertInto('queueItems')
    .values(columnsOf('queueItems', row))
    .onConflict((conflict) =>
      conflict
        .columns(['projectId', 'dedupeKey'])
        .where(sql<boolean>`status in ('open', 'taken')`)
        .doUpdateSet({
          occurrences: sql<number>`queue_items.occurrences + 1`,
          updatedAt: instant(row.updatedAt),
        }),
    )
    .returning('id')
    .executeTakeFirstOrThrow();
  return id === row.id ? 'filed' : 'repeated';
}

/** Locks an open item; null when it is not open any more, or another transaction is taking it. Never waits. */
export async function lockOpenQueueItem(db: Trx, id: string): Promise<QueueItemRow | null> {
  const query = db.selectFrom('queueItems').selectAll().where('id', '=', id).where('status', '=', 'open');
  return (await query.forUpdate().skipLocked().executeTakeFirst()) ?? null;
}

/** @returns null when there is none. */
export async function readQueueItem(db: Db, id: string): Promise<QueueItemRow | null> {
  return (await db.selectFrom('queueItems').selectAll().where('id', '=', id).executeTakeFirst()) ?? null;
}

/** Locks the row until the end of the transaction. */
export async function lockQueueItem(db: Trx, id: string): Promise<QueueItemRow | null> {
  return (await db.selectFrom('queueItems').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()) ?? null;
}

/** Writes everything that can change. The caller holds the row's lock. */
export async function saveQueueItem(db: Trx, row: QueueItemRow): Promise<void> {
  const { id, projectId: _project, class: _class, dedupeKey: _key, source: _source, ...rest } = row;
  const { actor: _actor, createdAt: _at, ...changes } = rest;
  await send(db, db.updateTable('queueItems').set(columnsOf('queueItems', changes)).where('id', '=', id));
}

/** Lists items, most urgent first, then oldest; without locks. */
export async function listQueueItems(db: Db, filter: QueueItemFilter): Promise<readonly QueueItemRow[]> {
  let query = db.selectFrom('queueItems').selectAll().orderBy('priority').orderBy('createdAt').orderBy('id');
  if (filter.projectId !== undefined) query = query.where('projectId', '=', filter.projectId);
  if (filter.status !== undefined) query = query.where('status', 'in', filter.status);
  const { after } = filter;
  if (after !== undefined) {
    const place = sql`(${after.priority}, ${instant(after.createdAt)}, ${after.id}::uuid)`;
    query = query.where(sql<boolean>`(priority, created_at, id) > ${place}`);
  }
  return query.limit(filter.limit).execute();
}
