/** How does an event reach a worker whose row is not held now? As due work, in the transaction that it follows from. */
import type { WorkerEvent } from '@drover/core';
import type { DueWork } from '@drover/store';

/**
 * An event that comes to a worker at `dueAt`, epoch milliseconds. A later event of the same kind takes the place of one
 * that still waits.
 */
export function workerEventDue(workerId: string, event: WorkerEvent, dueAt: number): DueWork {
  return { kind: 'worker-event', key: `${workerId}:${event.kind}`, dueAt, payload: { workerId, event } };
}
