// Tasks, read and written.
import { sql } from 'kysely';
import { send } from '../connection/pipeline.ts';
import type { TaskPage, TaskRow } from '../port/tasks.ts';
import { columnsWithout } from '../tables/columns.ts';
import type { Db, Trx } from './db.ts';
import { change, has, insertion, isBehind, KEEP, list } from './steps/rows.ts';

/** Adds a task; an existing task of this id stays as it is. */
export async function insertTask(db: Trx, task: TaskRow): Promise<void> {
  await send(db, insertion('tasks', [task], KEEP));
}

const ENDED: ReadonlySet<string> = new Set(['accepted', 'ended', 'failed', 'cancelled']);

/** Moves a task; `accepted`, `ended`, `failed` and `cancelled` are its end. */
export async function setTaskStatus(db: Trx, id: string, status: string, now: number): Promise<void> {
  await send(db, change('tasks', { id }, { status, endedAt: ENDED.has(status) ? now : undefined }));
}

/** Lists tasks, newest first, and of the same millisecond by their ids. */
export async function listTasks(db: Db, page: TaskPage): Promise<readonly TaskRow[]> {
  const { projectId, workerName, status, after, limit } = page;
  const place = isBehind('created_at', after && { at: after.createdAt, id: after.id });
  const end = sql`order by created_at desc, id desc limit ${limit}`;
  const which = sql<boolean>`${has('tasks', { projectId, workerName, status })} and ${place}`;
  return list(db, 'tasks', which, { columns: columnsWithout('tasks', 'endedAt'), end });
}
