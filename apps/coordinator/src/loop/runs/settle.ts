/** Ends a request of a run: tells the run of its outcome, in the transaction that carried it out. */
import type { RunOutcome } from '@drover/core';
import type { DueWork, StoreTransaction } from '@drover/store';
import type { Context } from '../../context/context.ts';
import { POLICY } from '../../facts/people/causes.ts';
import { runEventDue } from './due.ts';

/** Tells the run; the id of the request makes it count once. */
export function outcomeDue(runId: string, event: RunOutcome, now: number): DueWork {
  return runEventDue({ runId, id: event.request, event, by: POLICY }, now);
}

/**
 * Runs one step of a request in a transaction that locks its row first.
 *
 * @returns null, and does nothing, if another replica has finished the row, or an answer has made it due again.
 */
export async function stepOf(
  ctx: Context,
  work: DueWork,
  take: (tx: StoreTransaction) => Promise<() => void>,
): Promise<{ readonly hint: () => void } | null> {
  return ctx.store.transaction(async (tx) => ((await tx.lockDueWork(work)) ? { hint: await take(tx) } : null));
}

/** @returns the wake-up for after the commit. */
export async function settle(
  ctx: Context,
  tx: StoreTransaction,
  { work, runId, outcome }: { readonly work: DueWork; readonly runId: string; readonly outcome: RunOutcome | null },
): Promise<() => void> {
  const now = ctx.clock.now();
  await tx.finishDueWork(work);
  if (outcome === null) return () => {};
  await tx.schedule([outcomeDue(runId, outcome, now)]);
  return () => ctx.hints.due(now);
}
