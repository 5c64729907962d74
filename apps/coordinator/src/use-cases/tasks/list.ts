/** Lists given tasks within the caller's scope. */
import type { Actor, TaskFleet, TaskPageInput, TaskView } from '@drover/api';
import type { Context } from '../../context/context.ts';
import { tellCause } from '../../facts/people/causes.ts';
import { readProjects } from '../../facts/workers/find.ts';

export function createTaskList(ctx: Context): Pick<TaskFleet, 'listTasks'> {
  return { listTasks: (page, by) => list(ctx, page, by) };
}

async function list(
  ctx: Context,
  { worker, status, after, limit }: TaskPageInput,
  by: Actor,
): Promise<readonly TaskView[]> {
  const { projects } = await readProjects(ctx, by);
  const rows = await ctx.store.listTasks({
    limit,
    ...(by.project !== null && { projectId: by.project }),
    ...(worker !== undefined && { workerName: worker }),
    ...(status !== undefined && { status }),
    ...(after !== undefined && { after: { createdAt: after.at, id: after.id } }),
  });
  return rows.map((row) => ({
    id: row.id,
    project: projects.find(({ id }) => id === row.projectId)?.name ?? row.projectId,
    worker: row.workerName,
    prompt: row.prompt,
    status: row.status,
    by: tellCause(row.actor),
    createdAt: row.createdAt,
  }));
}
