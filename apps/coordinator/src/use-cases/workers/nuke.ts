/** Removes a worker, and tells the end of its unfinished task. */
import { inHand, stateOf } from '@drover/core';
import type { Actor, Outcome, RequestView, WorkerFleet } from '@drover/api';
import type { StoreTransaction, WorkerRow } from '@drover/store';
import type { Context } from '../../context/context.ts';
import { REQUEUED_PRIORITY } from '../../loop/subjects/queue.ts';
import { failuresMaxOf } from '../../facts/queue/failures.ts';
import { taskTitle } from '../../facts/tasks/title.ts';
import { findWorker } from '../../facts/workers/find.ts';
import { requestOf } from '../../loop/subjects/requests.ts';

type Nuking = Parameters<WorkerFleet['nuke']>[0] & { readonly by: Actor };

/** Items that are read: more than a queue can hold. */
const ITEMS_READ_MAX = 10_000;

/** Asks for the removal. The worker itself says whether a person still has to choose the end of its task. */
export async function nuke(ctx: Context, { requestId, name, force, task, by }: Nuking): Promise<Outcome<RequestView>> {
  let note: string | null = null;
  const outcome = await requestOf(ctx, {
    requestId,
    by,
    find: () => findWorker(ctx, by, name),
    event: async (row, tx) => {
      note = await endOfTask(ctx, tx, { row, end: task ?? row.state.lifecycle.unfinished });
      return { kind: 'nuke-requested', force, ...(task !== undefined && { task }) };
    },
  });
  if (outcome.kind === 'refused' || note === null) return outcome;
  return { kind: 'ok', value: { ...outcome.value, note } };
}

/** Describes the end of the task in one clause; null for a worker without a task in hand. */
async function endOfTask(
  ctx: Context,
  tx: StoreTransaction,
  { row: { projectId, state }, end }: { readonly row: WorkerRow; readonly end: 'drop' | 'requeue' | null },
): Promise<string | null> {
  const task = inHand(state.task);
  if (task === null) return null;
  const title = `its task "${taskTitle(task.prompt)}"`;
  if (end !== 'requeue') return `${title} is dropped`;
  const taken = await tx.listQueueItems({ projectId, status: ['taken'], limit: ITEMS_READ_MAX });
  const item = taken.find(({ taskId }) => taskId === task.id);
  const project = await tx.readProject(projectId);
  const failures = (item?.failures ?? 0) + (stateOf(state.lifecycle) === 'error' ? 1 : 0);
  const isSpent = project !== null && failures >= failuresMaxOf(ctx, project);
  const waits = isSpent ? `, where it waits for a person, as ${failures} worker(s) failed at it` : '';
  return `${title} is in the work queue again (${item?.priority ?? REQUEUED_PRIORITY})${waits}`;
}
