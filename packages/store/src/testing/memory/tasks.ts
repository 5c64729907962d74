// Tasks in memory: the same as sql/tasks.ts.
import { sumTold } from '@drover/core';
import type { UsageFilter, UsageRow, UsageSpan, UsageSum } from '../../port/runs/usage.ts';
import type { TaskPage, TaskRow } from '../../port/tasks.ts';
import type { MemoryDatabase } from './engine/database.ts';

/** Adds a task; an existing task of this id stays as it is. */
export function insertTask(db: MemoryDatabase, task: TaskRow): void {
  if (!db.tasks.has(task.id)) db.put(db.tasks, task.id, { ...task, endedAt: null });
}

const ENDED: ReadonlySet<string> = new Set(['accepted', 'ended', 'failed', 'cancelled']);

/** Moves a task. */
export function setTaskStatus(db: MemoryDatabase, id: string, status: string, now: number): void {
  const task = db.tasks.get(id);
  if (task !== undefined) db.put(db.tasks, id, { ...task, status, ...(ENDED.has(status) && { endedAt: now }) });
}

/** A page, newest first. */
export function listTasks(
  db: MemoryDatabase,
  { projectId, workerName, status, after, limit }: TaskPage,
): readonly TaskRow[] {
  return [...db.tasks.values()]
    .filter(
      (task) =>
        (projectId === undefined || task.projectId === projectId) &&
        (workerName === undefined || task.workerName === workerName) &&
        (status === undefined || task.status === status) &&
        (after === undefined || isNewer(after, task)),
    )
    .toSorted((one, other) => (isNewer(one, other) ? -1 : 1))
    .slice(0, limit)
    .map(({ endedAt: _endedAt, ...task }) => task);
}

type Place = Pick<TaskRow, 'createdAt' | 'id'>;

function isNewer(one: Place, other: Place): boolean {
  return one.createdAt === other.createdAt ? one.id > other.id : one.createdAt > other.createdAt;
}

/** Writes what was used on a day. */
export function saveUsage(db: MemoryDatabase, row: UsageRow): void {
  db.put(db.usage, `${row.taskId} ${row.workerId} ${row.since} ${row.day}`, row);
}

/** Lists what was used, the newest day first. */
export function listUsage(
  db: MemoryDatabase,
  { projectId, workerName, taskId, workerId, since, sinceDay = 0, limit }: UsageFilter,
): readonly UsageRow[] {
  return [...db.usage.values()]
    .filter(
      (row) =>
        (projectId === undefined || row.projectId === projectId) &&
        (workerName === undefined || row.workerName === workerName) &&
        (taskId === undefined || row.taskId === taskId) &&
        (workerId === undefined || row.workerId === workerId) &&
        (since === undefined || row.since === since) &&
        row.day >= sinceDay,
    )
    .toSorted(
      (one, other) =>
        other.day - one.day ||
        (one.taskId < other.taskId ? -1 : Number(one.taskId > other.taskId)) ||
        one.since - other.since,
    )
    .slice(0, limit);
}

export function sumUsage(db: MemoryDatabase, { projectId, sinceDay, today, taskIds }: UsageSpan): readonly UsageSum[] {
  const named = [...db.usage.values()]
    .filter((row) => row.projectId === projectId && row.day >= sinceDay)
    .map((row) => ({
      ...row,
      taskId: taskIds.includes(row.taskId) ? row.taskId : null,
      isToday: row.day >= today,
    }));
  const groups = Map.groupBy(named, ({ workerId, taskId, isToday }) => `${workerId} ${taskId} ${isToday}`);
  return [...groups.values()].flatMap((rows) =>
    rows.slice(0, 1).map(({ workerId, taskId, isToday }) => ({
      workerId,
      taskId,
      isToday,
      input: sumTold(rows.map(({ input }) => input)),
      cached: sumTold(rows.map(({ cached }) => cached)),
      output: sumTold(rows.map(({ output }) => output)),
      money: sumTold(rows.map(({ money }) => money)),
      workedMs: rows.reduce((sum, one) => sum + one.workedMs, 0),
    })),
  );
}
