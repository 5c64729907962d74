/** Sends an event to a worker whose row is not locked: the event becomes due work, in the transaction that causes it. */
import type { DueWork } from '@drover/store';
import { z } from 'zod';

/** Payload of such work: `account`, `machine` and the budgets (`budget`, and `day` at the end of one) are looked at again when the work is due. */
export const workerEventPayload = z.object({
  event: z.object({ kind: z.enum(['default-branch-moved', 'trust-decided', 'account', 'machine', 'budget', 'day']) }),
});

/**
 * Builds due work for an event that reaches a worker at `dueAt`, epoch milliseconds. A later event of the same kind replaces one that
 * still waits.
 */
export function workerEventDue(
  workerId: string,
  kind: z.infer<typeof workerEventPayload>['event']['kind'],
  dueAt: number,
): DueWork {
  return { kind: 'worker-event', key: `${workerId}:${kind}`, workerId, dueAt, payload: { event: { kind } } };
}
