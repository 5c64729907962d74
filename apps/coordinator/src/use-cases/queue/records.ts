/** What decisions change in the work queue: items are filed, and follow the tasks that they became. */
import type { DueWork, QueueItemRow, StoreTransaction } from '@drover/store';
import type { Context } from '../context.ts';
import { openEscalation } from '../escalations/open.ts';
import { ITEM_FAILURES_MAX, isToolItem, sourceTask } from './rules.ts';
import { DEFAULT_QUEUE } from './settings.ts';
import { taskOf } from '../decisions/about.ts';
import type { About, RecordOf } from '../decisions/about.ts';
import { IncidentLog } from '../decisions/incident-log.ts';
import { queueItemRow } from '../decisions/rows.ts';

/** Items of a project that are read: more than a queue can hold. */
const ITEMS_READ_MAX = 10_000;
const WAITING = ['open', 'taken'] as const;

/** Schedules a check whether an idle worker can take an item. */
export function queueDue(now: number): DueWork {
  return { kind: 'queue', key: 'main', dueAt: now, payload: {} };
}

/**
 * Files what a decision found. A person must release an item that was found at work on another one, so that items do not make
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
    ctx.log('warn', `The work queue is full (${itemsMax}): not filed: ${entry.title}`, { worker: about.row.name });
    return;
  }
  const task = taskOf(about);
  const isOfItem = task !== null && items.some(({ taskId, status }) => taskId === task && status === 'taken');
  const row = queueItemRow(about, entry, ctx.ids.uuid());
  if (isOfItem && !isToolItem(row)) return;
  await tx.insertQueueItem({ ...row, failures: isOfItem ? ITEM_FAILURES_MAX : 0 });
  await tx.schedule([queueDue(about.now)]);
}

/**
 * A task has moved: the item that it came from is done or open again, and what its own tools had filed is done with it,
 * because the agent finished without help.
 */
export async function followTask(
  ctx: Context,
  tx: StoreTransaction,
  { about, entry }: { about: About; entry: RecordOf<'task'> },
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
    if (next.failures === ITEM_FAILURES_MAX) await escalateItem(ctx, tx, { about, item });
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

/** A person is asked, under the item's own name, so that it is asked once. */
async function escalateItem(
  ctx: Context,
  tx: StoreTransaction,
  { about, item }: { about: About; item: QueueItemRow },
): Promise<void> {
  const title = `Work item failed ${ITEM_FAILURES_MAX} times: ${item.title}`;
  const name = item.id.slice(-8);
  const body = [
    `No worker takes it by itself any more. Its priority is ${item.priority}. Its text:`,
    item.body,
    '',
    `Open it again with "drover queue retry ${name}", or end it with "drover queue drop ${name}".`,
  ].join('\n');
  const options = [{ id: 'tool-leave', label: 'I have seen to it', needsText: false }];
  const question = { kind: 'choice', title, body, options } as const;
  const entry = { kind: 'escalated', incident: item.id, code: 'AGENT_BLOCKED', why: title, question } as const;
  await openEscalation(ctx, tx, { about, entry, log: new IncidentLog(tx, about.fresh) });
}

/** A worker is removed: what it had taken is open again. That does not count as a failure. */
export async function releaseItems(tx: StoreTransaction, { row, project, now }: About): Promise<void> {
  const items = await tx.listQueueItems({ projectId: project.id, status: ['taken'], limit: ITEMS_READ_MAX });
  for (const { id, workerId } of items) {
    if (workerId === row.id) await change(tx, id, { patch: { status: 'open', workerId: null }, now });
  }
  await tx.schedule([queueDue(now)]);
}

async function change(tx: StoreTransaction, id: string, { patch, now }: { patch: Patch; now: number }): Promise<void> {
  const item = await tx.lockQueueItem(id);
  if (item === null || item.status === 'done' || item.status === 'dropped') return;
  await tx.saveQueueItem({ ...item, ...patch, updatedAt: now });
}
