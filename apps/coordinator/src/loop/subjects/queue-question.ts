/** Asks about an item of the work queue at which too many workers have failed: a person opens it again, or drops it. */
import type { Question } from '@drover/core';
import type { QueueItemRow, StoreTransaction } from '@drover/store';
import type { Context } from '../../context/context.ts';
import type { Saving } from '../about.ts';
import { IncidentLog } from '../incident-log.ts';
import { openEscalation } from '../escalations/open.ts';
import { failuresMaxOf } from '../../facts/queue/failures.ts';

const OPTIONS: Question['options'] = [
  { id: 'item-retry', label: 'Open it again, for any worker', needsText: false },
  { id: 'item-drop', label: 'Drop it', needsText: false },
];

/** Asks under the item's own id, so that it is asked once. */
export async function askAboutItem(
  ctx: Context,
  tx: StoreTransaction,
  { about, item }: { readonly about: Saving; readonly item: QueueItemRow },
): Promise<void> {
  const title = `Work item failed ${failuresMaxOf(ctx, about.project)} times: ${item.title}`;
  const body = [`Workers no longer take it. Its priority is ${item.priority}. Its text:`, item.body].join('\n');
  const question = { kind: 'choice', title, body, options: OPTIONS } as const;
  const entry = { kind: 'escalated', incident: item.id, code: 'AGENT_BLOCKED', why: title, question } as const;
  const told = await new IncidentLog(tx, about.changes, about.fresh).told(item.id);
  await openEscalation(ctx, tx, { about, entry, told, id: ctx.ids.uuid() });
}

/** Tells whether a question is about an item: the queue carries out its answer, and it outlives the worker that failed. */
export function isAboutItem({ options }: Question): boolean {
  return options.some(({ id }) => id === 'item-retry');
}

/** Carries out a person's answer. @returns the reason if the item no longer waits for an answer; null once the answer is carried out. */
export async function answerAboutItem(
  tx: StoreTransaction,
  { item: id, option, now }: { readonly item: string; readonly option: string; readonly now: number },
): Promise<string | null> {
  const item = await tx.lockQueueItem(id);
  if (item === null) return 'its item is gone';
  if (item.status !== 'open') return `its item is already ${item.status}`;
  if (item.failures === 0) return 'its item was already opened again';
  const patch = option === 'item-retry' ? { failures: 0 } : { status: 'dropped' as const };
  await tx.saveQueueItem({ ...item, ...patch, updatedAt: now });
  return null;
}
