// Tasks, written.
import { instant, json } from '../connection/values.ts';
import type { TaskRow } from '../port/tasks.ts';
import type { Db } from './db.ts';

/** Adds a task; one that is there already, by its id, stays as it is. */
export async function insertTask(db: Db, task: TaskRow): Promise<void> {
  await db
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
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
}

const ENDED: ReadonlySet<string> = new Set(['accepted', 'ended', 'failed']);

/** Moves a task; `accepted`, `ended` and `failed` are its end. */
export async function setTaskStatus(
  db: Db,
  { id, status, now }: { readonly id: string; readonly status: string; readonly now: number },
): Promise<void> {
  const ended = ENDED.has(status) ? { ended_at: instant(now) } : {};
  await db
    .updateTable('tasks')
    .set({ status, ...ended })
    .where('id', '=', id)
    .execute();
}
