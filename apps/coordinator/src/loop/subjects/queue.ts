/** Updates the work queue after decisions: files items, and follows the tasks that they became. */
import { inHand, stateOf } from '@drover/core';
import type { TaskInHand } from '@drover/core';
import type { DueWork, QueueItemRow, StoreTransaction } from '@drover/store';
import type { Context } from '../../context/context.ts';
import { askAboutItem } from './queue-question.ts';
import { isToolItem, sourceTask } from '../../facts/queue/rules.ts';
import { failuresMaxOf } from '../../facts/queue/failures.ts';
import { DEFAULT_QUEUE } from '../../context/queue-settings.ts';
import { taskOf } from '../about.ts';
import type { About, RecordOf, Saving } from '../about.ts';
import { REASSIGNED, queueItemRow } from '../rows.ts';
import { taskTitle } from '../../facts/tasks/title.ts';

/** Items of a project that are read: more than a queue can hold. */
const ITEMS_READ_MAX = 10_000;
const WAITING = ['open', 'taken'] as const;
/** Priority of a task that was given to a worker, and goes back to the queue. */
export const REQUEUED_PRIORITY = 'S1';

/** Schedules a check whether an idle worker can take an item. */
export function queueDue(now: number): DueWork {
  return { kind: 'queue', key: 'main', dueAt: now, payload: {} };
}

/**
 * Files an item that a decision found. A person must release an item that was found at work on another one, so that items do not make
 * items in a loop; a task that is reassigned goes back to the item that it came from.
 */
export async function fileItem(
  ctx: Context,
  tx: StoreTransaction,
  { about, entry }: { about: About; entry: RecordOf<'queued'> },
): Promise<void> {
  const { itemsMax } = ctx.queue ?? DEFAULT_QUEUE;
  const items = await tx.listQueueItems({ projectId: about.project.id, status: WAITING, limit: ITEMS_READ_MAX });
  const isKnown = items.some(({ dedupeKey }) => dedupeKey === entry.dedupe);
  if (items.length >= itemsMax && !isKnown) {
    ctx.log('warn', `The work queue is full (${itemsMax} items), so this was not filed: ${entry.title}`, {
      worker: about.row.name,
    });
    return;
  }
  const task = taskOf(about);
  const isOfItem = task !== null && items.some(({ taskId, status }) => taskId === task && status === 'taken');
  const row = queueItemRow(about, entry, ctx.ids.uuid());
  if (isOfItem && !isToolItem(row)) return;
  // The worker that hands its task over has failed at it.
  const failures = isToolItem(row) ? 0 : 1;
  await tx.insertQueueItem({ ...row, failures: isOfItem ? failuresMaxOf(ctx, about.project) : failures });
  await tx.schedule([queueDue(about.now)]);
}

/**
 * Follows a task that has moved: the item that it came from is done or open again, and items filed by its own tools are done with it,
 * because the agent finished without help.
 */
export async function followTask(
  ctx: Context,
  tx: StoreTransaction,
  { about, entry }: { about: Saving; entry: RecordOf<'task'> },
): Promise<void> {
  const { id: task, status } = entry;
  if (status === 'started' || status === 'rejected') return;
  const items = await tx.listQueueItems({ projectId: about.project.id, status: WAITING, limit: ITEMS_READ_MAX });
  const changed = items.flatMap((item) => {
    const next =
      item.taskId === task && item.status === 'taken' ? afterItsTask(item, status) : afterItsSource(item, entry);
    return next === null ? [] : [{ item, next }];
  });
  for (const { item, next } of changed) {
    await change(tx, item.id, { patch: next, now: about.now });
    if (isSpent(ctx, about, next)) await askAboutItem(ctx, tx, { about, item });
  }
  await tx.schedule([queueDue(about.now)]);
}

type Patch = Partial<Pick<QueueItemRow, 'status' | 'workerId' | 'failures'>>;

function afterItsTask(item: QueueItemRow, status: RecordOf<'task'>['status']): Patch | null {
  if (status === 'review') return null;
  if (status === 'accepted') return { status: 'done' };
  if (status === 'cancelled') return { status: 'dropped' };
  return { status: 'open', failures: item.failures + 1 };
}

function afterItsSource(item: QueueItemRow, { id, status }: RecordOf<'task'>): Patch | null {
  const isOver = status === 'review' || status === 'accepted';
  return isOver && item.status === 'open' && isToolItem(item) && sourceTask(item) === id ? { status: 'done' } : null;
}

/** Tells whether so many workers have failed at an item that it now waits for a person. */
function isSpent(ctx: Context, { project }: About, { failures }: Patch): boolean {
  return failures !== undefined && failures >= failuresMaxOf(ctx, project);
}

/**
 * Ends the unfinished task of a removed worker, or puts it in the queue, as a person said with the removal; if no person was asked, an
 * item of the queue is open again. A removal does not count as a failure, unless its worker was in error already.
 */
export async function endUnfinished(ctx: Context, tx: StoreTransaction, about: Saving): Promise<void> {
  const { row, project, now } = about;
  const { unfinished } = about.after.lifecycle;
  const task = inHand(row.state.task);
  if (task !== null) await tx.setTaskStatus(task.id, unfinished === 'drop' ? 'cancelled' : 'ended', now);
  const failed = stateOf(row.state.lifecycle) === 'error' ? 1 : 0;
  const taken = await tx.listQueueItems({ projectId: project.id, status: ['taken'], limit: ITEMS_READ_MAX });
  const own = taken.filter(({ workerId }) => workerId === row.id);
  for (const item of own) {
    const open = { status: 'open', workerId: null, failures: item.failures + failed } as const;
    await change(tx, item.id, { patch: unfinished === 'drop' ? { status: 'dropped' } : open, now });
    if (failed > 0 && unfinished !== 'drop' && isSpent(ctx, about, open)) await askAboutItem(ctx, tx, { about, item });
  }
  if (task !== null && unfinished === 'requeue' && own.length === 0) {
    const item = { ...requeuedItem(about, task, ctx.ids.uuid()), failures: failed };
    await tx.insertQueueItem(item);
    if (failed > 0 && isSpent(ctx, about, item)) await askAboutItem(ctx, tx, { about, item });
  }
  await tx.schedule([queueDue(now)]);
}

/** Builds the item of a task that a person gave to its worker: such a task has begun already, so it comes before waiting items. */
function requeuedItem(about: About, { id: task, prompt }: TaskInHand, id: string): QueueItemRow {
  return queueItemRow(
    about,
    {
      kind: 'queued',
      priority: REQUEUED_PRIORITY,
      title: taskTitle(prompt),
      body: prompt,
      class: REASSIGNED,
      dedupe: `task:${task}`,
    },
    id,
  );
}

async function change(tx: StoreTransaction, id: string, { patch, now }: { patch: Patch; now: number }): Promise<void> {
  const item = await tx.lockQueueItem(id);
  if (item === null || item.status === 'done' || item.status === 'dropped') return;
  await tx.saveQueueItem({ ...item, ...patch, updatedAt: now });
}
