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
 * Does a step of a request in a transaction that locks the row first. Null: another replica has done it, or its answer came meanwhile and made
 * it due again, and nothing happens.
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
