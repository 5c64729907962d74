// Tasks, read and written.
import { sql } from 'kysely';
import { send } from '../connection/pipeline.ts';
import { instant } from '../connection/values.ts';
import type { TaskPage, TaskRow } from '../port/tasks.ts';
import { columnsOf, columnsWithout } from '../tables/columns.ts';
import type { Db, Trx } from './db.ts';

/** Adds a task; an existing task of this id stays as it is. */
export async function insertTask(db: Trx, task: TaskRow): Promise<void> {
  await send(
    db,
    db
      .insertInto('tasks')
      .values(columnsOf('tasks', { ...task, endedAt: null }))
      .onConflict((conflict) => conflict.column('id').doNothing()),
  );
}

const ENDED: ReadonlySet<string> = new Set(['accepted', 'ended', 'failed', 'cancelled']);

/** Moves a task; `accepted`, `ended`, `failed` and `cancelled` are its end. */
export async function setTaskStatus(db: Trx, id: string, status: string, now: number): Promise<void> {
  const ended = ENDED.has(status) ? { endedAt: now } : {};
  await send(
    db,
    db
      .updateTable('tasks')
      .set(columnsOf('tasks', { status, ...ended }))
      .where('id', '=', id),
  );
}

/** Lists tasks, newest first, and of the same millisecond by their ids. */
export async function listTasks(
  db: Db,
  { projectId, workerName, status, after, limit }: TaskPage,
): Promise<readonly TaskRow[]> {
  let query = db.selectFrom('tasks').select(columnsWithout('tasks', 'endedAt'));
  if (projectId !== undefined) query = query.where('projectId', '=', projectId);
  if (workerName !== undefined) query = query.where('workerName', '=', workerName);
  if (status !== undefined) query = query.where('status', '=', status);
  if (after !== undefined)
    query = query.where(sql<boolean>`(created_at, id) < (${instant(after.createdAt)}, ${after.id}::uuid)`);
  return query.orderBy('createdAt', 'desc').orderBy('id', 'desc').limit(limit).execute();
}
