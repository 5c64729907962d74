/** Changes an item of the work queue for a person. */
import type { Actor, Refusal } from '@drover/api';
import type { NewAudit, QueueItemRow, StoreTransaction } from '@drover/store';
import { findItem, ITEMS_READ_MAX, WAITING } from '../../facts/queue/find-item.ts';
import type { Context } from '../../context/context.ts';
import { expireEscalation } from '../escalations/close.ts';
import { audited, sumOf } from '../../facts/people/audit-rows.ts';
import { causeOf } from '../../facts/people/causes.ts';
import { queueDue } from './queue.ts';
import { refused } from '../../context/refused.ts';

/** The item, by its id or enough of it, and the caller. */
interface Named {
  readonly id: string;
  readonly by: Actor;
}

/** Takes an open item out of the queue. Refuses others as `taken` or `over`. */
export function dropItem(ctx: Context, named: Named): Promise<QueueItemRow | Refusal> {
  return changeItem(ctx, named, { action: 'queue-dropped', change: drop });
}

/** Opens an item again that is over. Refuses as `taken` where a worker is at it. */
export function retryItem(ctx: Context, named: Named): Promise<QueueItemRow | Refusal> {
  return changeItem(ctx, named, { action: 'queue-retried', change: retry });
}

type Change = (
  tx: StoreTransaction,
  item: QueueItemRow,
) => Promise<Partial<QueueItemRow> | Refusal> | Partial<QueueItemRow> | Refusal;

async function changeItem(
  ctx: Context,
  { id, by }: Named,
  { action, change }: { readonly action: string; readonly change: Change },
): Promise<QueueItemRow | Refusal> {
  const found = await findItem(ctx, id, by);
  if (found.kind === 'refused') return found;
  const now = ctx.clock.now();
  const outcome = await ctx.store.transaction(async (tx) => {
    const item = await tx.lockQueueItem(found.item.id);
    if (item === null) return refused('not-found', `The item "${id}" no longer exists`);
    const patch = await change(tx, item);
    if ('kind' in patch) return patch;
    const next = { ...item, ...patch, updatedAt: now };
    await tx.saveQueueItem(next);
    await tx.schedule([queueDue(now)]);
    await expireEscalation(tx, next.id, now);
    await tx.audit(auditedItem(next, { action, by, now }));
    return next;
  });
  if (!('kind' in outcome)) ctx.hints.due(now);
  return outcome;
}

function drop(_tx: StoreTransaction, item: QueueItemRow): Partial<QueueItemRow> | Refusal {
  if (item.status === 'open') return { status: 'dropped' };
  const message =
    item.status === 'taken'
      ? 'A worker is working on this item: "drover queue show" says which, "drover cancel" stops it'
      : `The item is already ${item.status}`;
  return refused(item.status === 'taken' ? 'taken' : 'over', message);
}

async function retry(tx: StoreTransaction, item: QueueItemRow): Promise<Partial<QueueItemRow> | Refusal> {
  if (item.status === 'taken') return refused('taken', 'A worker is already working on this item');
  if (item.status === 'open') return { failures: 0 };
  const waiting = await tx.listQueueItems({ projectId: item.projectId, status: WAITING, limit: ITEMS_READ_MAX });
  const same = waiting.find(({ dedupeKey }) => dedupeKey === item.dedupeKey);
  if (same !== undefined) return refused('filed-again', `The same item was filed again in the meantime, as ${same.id}`);
  return { status: 'open', failures: 0 };
}

/** Builds the audit row of a change of an item. */
export function auditedItem(
  { id, priority, body }: QueueItemRow,
  { action, by, now }: { action: string; by: Actor; now: number },
): NewAudit {
  const details = { priority, sum: sumOf(body) };
  return audited({ at: now, by: causeOf(by), action, about: `item ${id}`, details });
}
