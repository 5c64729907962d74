// Reads and writes checkpoints: copies of a worker's work, to begin again from.
import { sql } from 'kysely';
import type { CheckpointFilter, CheckpointRow } from '../port/checkpoints.ts';
import { send } from '../connection/pipeline.ts';
import type { Db, Trx } from './db.ts';
import { change, find, has, insertion, isBehind, isOneOf, KEEP, list, removal, writes } from './steps/rows.ts';

/** @returns false when a checkpoint of this id is there already; then nothing was written. */
export async function insertCheckpoint(db: Trx, row: CheckpointRow): Promise<boolean> {
  return writes(db, insertion('checkpoints', [row], KEEP));
}

/** @returns null when there is none of this id. */
export async function readCheckpoint(db: Db, id: string): Promise<CheckpointRow | null> {
  return find(db, 'checkpoints', { id });
}

/** Lists checkpoints of one worker, by its id or, for a worker that was removed, by its name; newest first. */
export async function listCheckpoints(db: Db, filter: CheckpointFilter): Promise<readonly CheckpointRow[]> {
  const { workerId, workerName, projectId, after, limit } = filter;
  const which = sql<boolean>`${has('checkpoints', { workerId, workerName, projectId })} and ${isBehind('created_at', after)}`;
  return list(db, 'checkpoints', which, { end: sql`order by created_at desc, id desc limit ${limit}` });
}

/** Deletes checkpoints; ignores those that are gone already. */
export async function deleteCheckpoints(db: Trx, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await send(db, removal('checkpoints', isOneOf('id', ids)));
}

/** Asks this machine for the checkpoint from now on. Ignores a checkpoint that is gone. */
export async function setCheckpointMachine(db: Trx, id: string, machineId: string): Promise<void> {
  await send(db, change('checkpoints', { id }, { machineId }));
}
