// The work queue in memory: the same as sql/queue.ts.
import type { QueueItemFilter, QueueItemPlace, QueueItemRow } from '../../port/queue.ts';
import type { MemoryDatabase } from './engine/database.ts';

/** Files an item, or raises the occurrences of the one of its key that waits or is worked on. */
export function insertQueueItem(db: MemoryDatabase, row: QueueItemRow): 'filed' | 'repeated' {
  db.queueItems.lock(`unique ${row.projectId} ${row.dedupeKey}`);
  const same = [...db.queueItems.values()].find(
    ({ projectId, dedupeKey, status }) =>
      projectId === row.projectId && dedupeKey === row.dedupeKey && (status === 'open' || status === 'taken'),
  );
  if (same === undefined) {
    db.put(db.queueItems, row.id, row);
    return 'filed';
  }
  db.put(db.queueItems, same.id, { ...same, occurrences: same.occurrences + 1, updatedAt: row.updatedAt });
  return 'repeated';
}

/** Locks an item that is still open and not locked, until the end of the transaction. */
export function lockOpenQueueItem(db: MemoryDatabase, id: string): QueueItemRow | null {
  const row = db.queueItems.get(id);
  if (row?.status !== 'open' || db.queueItems.isHeld(id)) return null;
  db.queueItems.lock(id);
  return row;
}

/** Writes what can change. */
export function saveQueueItem(db: MemoryDatabase, row: QueueItemRow): void {
  const before = db.queueItems.get(row.id);
  if (before === undefined) return;
  const { projectId, dedupeKey, source, createdAt } = before;
  db.put(db.queueItems, row.id, { ...row, projectId, class: before.class, dedupeKey, source, createdAt });
}

/** Lists items, most urgent first, then oldest. */
export function listQueueItems(db: MemoryDatabase, filter: QueueItemFilter): readonly QueueItemRow[] {
  return [...db.queueItems.values()]
    .filter(({ projectId }) => filter.projectId === undefined || projectId === filter.projectId)
    .filter(({ status }) => filter.status === undefined || filter.status.includes(status))
    .filter((row) => filter.after === undefined || byUrgency(filter.after, row) < 0)
    .toSorted(byUrgency)
    .slice(0, filter.limit);
}

function byUrgency(one: QueueItemPlace, other: QueueItemPlace): number {
  if (one.priority !== other.priority) return one.priority < other.priority ? -1 : 1;
  if (one.createdAt !== other.createdAt) return one.createdAt - other.createdAt;
  if (one.id === other.id) return 0;
  return one.id < other.id ? -1 : 1;
}
