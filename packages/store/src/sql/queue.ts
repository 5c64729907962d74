// The work queue: what is left for later, and who does it.
import { sql } from 'kysely';
import type { Selectable, Transaction } from 'kysely';
import type { QueueItemFilter } from '../port/queue.ts';
import type { QueueItemRow } from '../port/queue.ts';
import type { QueueItemTable } from '../tables/queue.ts';
import type { Database } from '../tables/database.ts';
import { send } from '../connection/pipeline.ts';
import { instant, json } from '../connection/values.ts';
import type { Db } from './db.ts';

/** Files an item, or raises the occurrences of the one of its key that waits or is worked on. */
export async function insertQueueItem(db: Db, row: QueueItemRow): Promise<'filed' | 'repeated'> {
  const { id } = await db
    .insertInto('queue_items')
    .values({
      id: row.id,
      project_id: row.projectId,
      class: row.class,
      dedupe_key: row.dedupeKey,
      source: json<unknown>(row.source),
      actor: row.actor === null ? null : json<unknown>(row.actor),
      created_at: instant(row.createdAt),
      ...changes(row),
    })
    .onConflict((conflict) =>
      conflict
        .columns(['project_id', 'dedupe_key'])
        .where(sql<boolean>`status in ('open', 'taken')`)
        .doUpdateSet({
          occurrences: sql<number>`queue_items.occurrences + 1`,
          updated_at: instant(row.updatedAt),
        }),
    )
    .returning('id')
    .executeTakeFirstOrThrow();
  return id === row.id ? 'filed' : 'repeated';
}

function changes(row: QueueItemRow) {
  return {
    priority: row.priority,
    title: row.title,
    body: row.body,
    status: row.status,
    worker_id: row.workerId,
    task_id: row.taskId,
    failures: row.failures,
    occurrences: row.occurrences,
    updated_at: instant(row.updatedAt),
  };
}

/** Of two that ask at once, one gets the item and the other null: it tries another item. */
export async function lockOpenQueueItem(trx: Transaction<Database>, id: string): Promise<QueueItemRow | null> {
  const row = await trx
    .selectFrom('queue_items')
    .selectAll()
    .where('id', '=', id)
    .where('status', '=', 'open')
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
  return row === undefined ? null : toQueueItem(row);
}

/** Reads one, and with `lock` holds it until the transaction ends. @returns null when there is none. */
export async function readQueueItem(db: Db, id: string, lock: boolean): Promise<QueueItemRow | null> {
  const query = db.selectFrom('queue_items').selectAll().where('id', '=', id);
  const row = await (lock ? query.forUpdate() : query).executeTakeFirst();
  return row === undefined ? null : toQueueItem(row);
}

/** The caller holds the row's lock. */
export async function saveQueueItem(db: Db, row: QueueItemRow): Promise<void> {
  await send(db, db.updateTable('queue_items').set(changes(row)).where('id', '=', row.id));
}

/** Most urgent first, then oldest. */
export async function listQueueItems(db: Db, filter: QueueItemFilter): Promise<readonly QueueItemRow[]> {
  let query = db.selectFrom('queue_items').selectAll().orderBy('priority').orderBy('created_at').orderBy('id');
  if (filter.projectId !== undefined) query = query.where('project_id', '=', filter.projectId);
  if (filter.status !== undefined) query = query.where('status', 'in', filter.status);
  const { after } = filter;
  if (after !== undefined) {
    const place = sql`(${after.priority}, ${instant(after.createdAt)}, ${after.id}::uuid)`;
    query = query.where(sql<boolean>`(priority, created_at, id) > ${place}`);
  }
  return (await query.limit(filter.limit).execute()).map(toQueueItem);
}

function toQueueItem(row: Selectable<QueueItemTable>): QueueItemRow {
  return {
    id: row.id,
    projectId: row.project_id,
    priority: row.priority,
    title: row.title,
    body: row.body,
    class: row.class,
    dedupeKey: row.dedupe_key,
    source: row.source as QueueItemRow['source'],
    actor: row.actor as QueueItemRow['actor'],
    status: row.status,
    workerId: row.worker_id,
    taskId: row.task_id,
    failures: row.failures,
    occurrences: row.occurrences,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
