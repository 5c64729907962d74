// How are checkpoints, work items and accounts kept in memory? The same as their files under sql/.
import { OPEN_ACCOUNT } from '@drover/core';
import type { CheckpointFilter, QueueItemFilter } from '../../recovery-port.ts';
import type { AccountRow, CheckpointRow, QueueItemRow } from '../../recovery-rows.ts';
import type { MemoryDatabase } from './engine/database.ts';
import { newestFirst } from './engine/order.ts';

/** @returns false when a checkpoint of this id is there already. @throws Error when its project or machine is not. */
export function insertCheckpoint(db: MemoryDatabase, row: CheckpointRow): boolean {
  if (!db.projects.has(row.projectId) || !db.machines.has(row.machineId))
    throw new Error(`The checkpoint ${row.id} cannot be inserted: its project or machine is unknown`);
  if (db.checkpoints.has(row.id)) return false;
  db.put(db.checkpoints, row.id, row);
  return true;
}

/** Newest first. */
export function listCheckpoints(db: MemoryDatabase, filter: CheckpointFilter): readonly CheckpointRow[] {
  return [...db.checkpoints.values()]
    .filter(({ projectId }) => filter.projectId === undefined || projectId === filter.projectId)
    .filter(({ workerId }) => filter.workerId === undefined || workerId === filter.workerId)
    .filter(({ workerName }) => filter.workerName === undefined || workerName === filter.workerName)
    .toSorted(newestFirst(({ createdAt, id }) => [createdAt, id]))
    .slice(0, filter.limit);
}

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

/** An item that is still open and that nobody else holds, held until the end of the transaction. */
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

/** Most urgent first, then oldest. */
export function listQueueItems(db: MemoryDatabase, filter: QueueItemFilter): readonly QueueItemRow[] {
  return [...db.queueItems.values()]
    .filter(({ projectId }) => filter.projectId === undefined || projectId === filter.projectId)
    .filter(({ status }) => filter.status === undefined || filter.status.includes(status))
    .toSorted(byUrgency)
    .slice(0, filter.limit);
}

function byUrgency(one: QueueItemRow, other: QueueItemRow): number {
  if (one.priority !== other.priority) return one.priority < other.priority ? -1 : 1;
  if (one.createdAt !== other.createdAt) return one.createdAt - other.createdAt;
  return one.id < other.id ? -1 : 1;
}

/** An account that nobody heard of is made, and open. */
export function lockAccount(db: MemoryDatabase, key: string, now: number): AccountRow {
  db.accounts.lock(key);
  const known = db.accounts.get(key);
  if (known !== undefined) return known;
  const row: AccountRow = { key, state: OPEN_ACCOUNT, updatedAt: now };
  db.put(db.accounts, key, row);
  return row;
}

/** All accounts by key. */
export function listAccounts(db: MemoryDatabase): readonly AccountRow[] {
  return [...db.accounts.values()].toSorted((one, other) => (one.key < other.key ? -1 : 1));
}
