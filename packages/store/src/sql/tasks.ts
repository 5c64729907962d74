// Tasks and what they used, read and written.
import { sql } from 'kysely';
import { send } from '../connection/pipeline.ts';
import type { TaskPage, TaskRow, UsageFilter, UsageRow } from '../port/tasks.ts';
import { columnsWithout } from '../tables/columns.ts';
import type { Db, Trx } from './db.ts';
import { change, has, insertion, isBehind, isSince, KEEP, setting } from './steps/rows.ts';

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
  return db
    .selectFrom('tasks')
    .select(columnsWithout('tasks', 'endedAt'))
    .where(has('tasks', { projectId, workerName, status }))
    .where(isBehind('created_at', after && { at: after.createdAt, id: after.id }))
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

/** Writes what was used on a day; the caller holds the worker's row. */
export async function saveUsage(db: Trx, row: UsageRow): Promise<void> {
  const again = sql`on conflict (task_id, worker_id, since, day) do update set ${setting('usage', row)}`;
  await send(db, insertion('usage', [row], again));
}

/** Lists what was used, the newest day first. */
export async function listUsage(db: Db, { since, limit, ...of }: UsageFilter): Promise<readonly UsageRow[]> {
  return db
    .selectFrom('usage')
    .selectAll()
    .where(has('usage', of))
    .where(isSince('day', since))
    .orderBy('day', 'desc')
    .orderBy('taskId')
    .orderBy('since')
    .limit(limit)
    .execute();
}
