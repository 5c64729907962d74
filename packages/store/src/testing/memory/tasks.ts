// Tasks in memory: the same as sql/tasks.ts.
import type { TaskRow } from '../../port/tasks.ts';
import type { MemoryDatabase } from './engine/database.ts';

/** Adds a task; one that is there already, by its id, stays as it is. */
export function insertTask(db: MemoryDatabase, task: TaskRow): void {
  if (!db.tasks.has(task.id)) db.put(db.tasks, task.id, task);
}

/** Moves a task. */
export function setTaskStatus(db: MemoryDatabase, id: string, status: string): void {
  const task = db.tasks.get(id);
  if (task !== undefined) db.put(db.tasks, id, { ...task, status });
}
