/** Begins a worker: its row, and its first events, in the caller's transaction. */
import type { StoreTransaction, WorkerRow } from '@drover/store';
import type { Context } from '../context/context.ts';
import { workerEventDue } from './event-due.ts';
import { handleEvent } from './handle-events.ts';
import type { EventFor, Outcome } from './handle-events.ts';
import { hasBudgets } from './subjects/budgets.ts';

/** @returns the outcome of each event; null: another worker of the project has the name. */
export async function beginWorker(
  ctx: Context,
  tx: StoreTransaction,
  {
    row,
    events,
  }: {
    readonly row: Omit<WorkerRow, 'version' | 'updatedAt'>;
    readonly events: readonly Omit<EventFor, 'workerId'>[];
  },
): Promise<readonly (Outcome | null)[] | null> {
  if ((await tx.insertWorker(row)) === 'name-taken') return null;
  const project = await tx.readProject(row.projectId);
  if (project !== null && hasBudgets(project)) await tx.schedule([workerEventDue(row.id, 'budget', ctx.clock.now())]);
  const outcomes: (Outcome | null)[] = [];
  for (const event of events) outcomes.push(await handleEvent(ctx, tx, { ...event, workerId: row.id }));
  return outcomes;
}
