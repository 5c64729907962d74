// Tasks, read and written.
import { sql } from 'kysely';
import type { Selectable } from 'kysely';
import { send } from '../connection/pipeline.ts';
import { instant, json } from '../connection/values.ts';
import type { TaskPage, TaskRow } from '../port/tasks.ts';
import type { TaskTable } from '../tables/tasks.ts';
import type { Db } from './db.ts';

/** Adds a task; one that is there already, by its id, stays as it is. */
export async function insertTask(db: Db, task: TaskRow): Promise<void> {
  await send(
    db,
    db
      .insertInto('tasks')
      .values({
        id: task.id,
        project_id: task.projectId,
        worker_id: task.workerId,
        worker_name: task.workerName,
        prompt: task.prompt,
        status: task.status,
        actor: task.actor === null ? null : json<unknown>(task.actor),
        created_at: instant(task.createdAt),
        ended_at: null,
      })
      .onConflict((conflict) => conflict.column('id').doNothing()),
  );
}

const ENDED: ReadonlySet<string> = new Set(['accepted', 'ended', 'failed', 'cancelled']);

/** Moves a task; `accepted`, `ended`, `failed` and `cancelled` are its end. */
export async function setTaskStatus(
  db: Db,
  { id, status, now }: { readonly id: string; readonly status: string; readonly now: number },
): Promise<void> {
  const ended = ENDED.has(status) ? { ended_at: instant(now) } : {};
  await send(
    db,
    db
      .updateTable('tasks')
      .set({ status, ...ended })
      .where('id', '=', id),
  );
}

function toTask(row: Selectable<TaskTable>): TaskRow {
  return {
    id: row.id,
    projectId: row.project_id,
    workerId: row.worker_id,
    workerName: row.worker_name,
    prompt: row.prompt,
    status: row.status,
    actor: row.actor as TaskRow['actor'],
    createdAt: row.created_at,
  };
}

/** A page, newest first. */
export async function listTasks(
  db: Db,
  { projectId, workerName, status, after, limit }: TaskPage,
): Promise<readonly TaskRow[]> {
  let query = db.selectFrom('tasks').selectAll();
  if (projectId !== undefined) query = query.where('project_id', '=', projectId);
  if (workerName !== undefined) query = query.where('worker_name', '=', workerName);
  if (status !== undefined) query = query.where('status', '=', status);
  if (after !== undefined)
    query = query.where(sql<boolean>`(created_at, id) < (${instant(after.createdAt)}, ${after.id}::uuid)`);
  return (await query.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(limit).execute()).map(toTask);
}
