/** Gives items of the work queue to idle workers: one worker and one item at a time, each in a transaction of its own. */
import type { WorkerEvent } from '@drover/core';
import type { StoreTransaction } from '@drover/store';
import { POLICY } from '../../facts/people/causes.ts';
import type { Context } from '../../context/context.ts';
import { handleEvent } from '../../loop/handle-events.ts';
import { heldMachine, whyNoWork } from '../../facts/machines/closed.ts';
import { fleetOf, handsIn } from '../../facts/placement/spots.ts';
import { queueDue } from '../../loop/subjects/queue.ts';
import { isIdleInPool, isToolItem, nextMatch, startOf } from '../../facts/queue/rules.ts';
import { failuresMaxIn } from '../../facts/queue/failures.ts';
import { DEFAULT_QUEUE } from '../../context/queue-settings.ts';
import type { Match } from '../../facts/queue/rules.ts';
import { placed } from '../../facts/projects/place.ts';
import { taskTextFor } from '../../facts/tasks/text.ts';

/** Milliseconds before a retry after another replica was quicker. */
const RETRY_AFTER_MS = 1_000;
/** Open items that are searched for one that can be taken. */
const ITEMS_READ_MAX = 1_000;

/**
 * Gives the most urgent available item to an idle worker, and schedules another try. Two replicas that do this at once take the rows of
 * two workers and two items, or one of them does nothing: the worker is read again once its row is locked, and a locked item is skipped.
 */
export async function takeItem(ctx: Context, tx: StoreTransaction): Promise<{ readonly hint: () => void } | null> {
  if (!(ctx.queue ?? DEFAULT_QUEUE).take) return null;
  const items = await tx.listQueueItems({ status: ['open'], limit: ITEMS_READ_MAX });
  if (items.length === 0) return null;
  const workers = await tx.listRoster({});
  const able = workers.filter(isIdleInPool);
  if (able.length === 0) return null;
  const fleet = await fleetOf(ctx, tx, { workers, able });
  const failuresMax = failuresMaxIn(ctx, fleet.projects);
  // An item that a tool found waits for the task in which it was found.
  const finders = items.some(isToolItem) ? await tx.listWorkers({}) : [];
  const match = nextMatch(items, { hands: handsIn(ctx, fleet, able), workers: finders, failuresMax });
  return match === null ? null : give(ctx, tx, match);
}

async function give(ctx: Context, tx: StoreTransaction, match: Match): Promise<{ readonly hint: () => void } | null> {
  const now = ctx.clock.now();
  // The worker is locked first, as everywhere.
  const worker = await tx.lockWorker(match.hand.row.id);
  const project = await tx.readProject(match.item.projectId);
  const machine = worker === null ? null : await heldMachine(tx, worker.machineId);
  const isFree = worker !== null && isIdleInPool(worker) && whyNoWork(machine) === null;
  const item = isFree ? await tx.lockOpenQueueItem(match.item.id) : null;
  if (worker === null || project === null || item === null) {
    // Another replica was quicker, or somebody closed the machine: another item, or another worker, may fit.
    await tx.schedule([queueDue(now + RETRY_AFTER_MS)]);
    return null;
  }
  const taskId = ctx.ids.uuid();
  const task = { id: taskId, projectId: project.id, workerId: worker.id, workerName: worker.name };
  await tx.insertTask({ ...task, prompt: item.body, status: 'new', actor: item.actor ?? POLICY, createdAt: now });
  await tx.saveQueueItem({ ...item, status: 'taken', workerId: worker.id, taskId, updatedAt: now });
  const text = taskTextFor(placed(project, machine), worker, item.body);
  const from = startOf(item);
  const event: WorkerEvent = { kind: 'start-requested', taskId, prompt: item.body, text, ...(from && { from }) };
  const handled = await handleEvent(ctx, tx, {
    workerId: worker.id,
    event,
    by: POLICY,
    chosen: { task: { id: taskId, why: match.why } },
    locked: worker,
  });
  if (handled?.reply.kind === 'refused') {
    await tx.saveQueueItem({ ...item, updatedAt: now });
    return null;
  }
  await tx.schedule([queueDue(now)]);
  return handled;
}
