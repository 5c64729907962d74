/** Sends an event to a worker whose row is not locked: the event becomes due work, in the transaction that causes it. */
import type { WorkerEvent } from '@drover/core';
import type { DueWork } from '@drover/store';

/**
 * Builds due work for an event that reaches a worker at `dueAt`, epoch milliseconds. A later event of the same kind replaces one that
 * still waits.
 */
export function workerEventDue(workerId: string, event: WorkerEvent, dueAt: number): DueWork {
  return { kind: 'worker-event', key: `${workerId}:${event.kind}`, workerId, dueAt, payload: { workerId, event } };
}
