/** Makes a new item of the work queue. */
import type { QueueItemRow } from '@drover/store';

type Given = 'id' | 'projectId' | 'priority' | 'title' | 'body' | 'class' | 'dedupeKey' | 'source' | 'actor';

/** Makes an open item, filed once, at `now`, epoch milliseconds. */
export function newItem(given: Pick<QueueItemRow, Given>, now: number): QueueItemRow {
  return {
    ...given,
    status: 'open',
    workerId: null,
    taskId: null,
    failures: 0,
    occurrences: 1,
    createdAt: now,
    updatedAt: now,
  };
}
