// Checkpoints in memory: the same as sql/checkpoints.ts.
import type { CheckpointFilter, CheckpointRow } from '../../port/checkpoints.ts';
import type { MemoryDatabase } from './engine/database.ts';
import { comesAfter, newestFirst } from './engine/sorting.ts';

/** @returns false when a checkpoint of this id is there already. @throws Error when its project or machine is not. */
export function insertCheckpoint(db: MemoryDatabase, row: CheckpointRow): boolean {
  if (!db.projects.has(row.projectId) || !db.machines.has(row.machineId))
    throw new Error(`The checkpoint ${row.id} cannot be inserted: its project or machine is unknown`);
  if (db.checkpoints.has(row.id)) return false;
  db.put(db.checkpoints, row.id, row);
  return true;
}

/** Lists checkpoints, newest first. */
export function listCheckpoints(db: MemoryDatabase, filter: CheckpointFilter): readonly CheckpointRow[] {
  return [...db.checkpoints.values()]
    .filter(({ projectId }) => filter.projectId === undefined || projectId === filter.projectId)
    .filter(({ workerId }) => filter.workerId === undefined || workerId === filter.workerId)
    .filter(({ workerName }) => filter.workerName === undefined || workerName === filter.workerName)
    .filter(({ createdAt, id }) => comesAfter({ at: createdAt, id }, filter.after))
    .toSorted(newestFirst(({ createdAt, id }) => [createdAt, id]))
    .slice(0, filter.limit);
}

/** Asks this machine for the checkpoint from now on. */
export function setCheckpointMachine(db: MemoryDatabase, id: string, machineId: string): void {
  const row = db.checkpoints.get(id);
  if (row !== undefined) db.put(db.checkpoints, id, { ...row, machineId });
}
