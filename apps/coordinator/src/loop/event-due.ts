/** An event for a worker whose row is not locked now: it becomes due work, in the transaction that causes it. */
import type { WorkerEvent } from '@drover/core';
import type { DueWork } from '@drover/store';

/**
 * An event that comes to a worker at `dueAt`, epoch milliseconds. A later event of the same kind takes the place of one
 * that still waits.
 */
export function workerEventDue(workerId: string, event: WorkerEvent, dueAt: number): DueWork {
  return { kind: 'worker-event', key: `${workerId}:${event.kind}`, workerId, dueAt, payload: { workerId, event } };
}
