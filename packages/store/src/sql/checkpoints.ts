// Reads and writes checkpoints: copies of a worker's work, to begin again from.
import { sql } from 'kysely';
import type { CheckpointFilter, CheckpointRow } from '../port/checkpoints.ts';
import { send } from '../connection/pipeline.ts';
import { instant } from '../connection/values.ts';
import { columnsOf } from '../tables/columns.ts';
import type { Db, Trx } from './db.ts';

/** @returns false when a checkpoint of this id is there already; then nothing was written. */
export async function insertCheckpoint(db: Trx, row: CheckpointRow): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('checkpoints')
    .values(columnsOf('checkpoints', row))
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows !== 0n;
}

/** @returns null when there is none of this id. */
export async function readCheckpoint(db: Db, id: string): Promise<CheckpointRow | null> {
  return (await db.selectFrom('checkpoints').selectAll().where('id', '=', id).executeTakeFirst()) ?? null;
}

/** Lists checkpoints of one worker, by its id or, for a worker that was removed, by its name; newest first. */
export async function listCheckpoints(db: Db, filter: CheckpointFilter): Promise<readonly CheckpointRow[]> {
  let query = db.selectFrom('checkpoints').selectAll().orderBy('createdAt', 'desc').orderBy('id', 'desc');
  if (filter.workerId !== undefined) query = query.where('workerId', '=', filter.workerId);
  if (filter.workerName !== undefined) query = query.where('workerName', '=', filter.workerName);
  if (filter.projectId !== undefined) query = query.where('projectId', '=', filter.projectId);
  const { after } = filter;
  if (after !== undefined)
    query = query.where(sql<boolean>`(created_at, id) < (${instant(after.at)}, ${after.id}::uuid)`);
  return query.limit(filter.limit).execute();
}

/** Deletes checkpoints; ignores those that are gone already. */
export async function deleteCheckpoints(db: Trx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await send(db, db.deleteFrom('checkpoints').where('id', 'in', ids));
}

/** Asks this machine for the checkpoint from now on. Ignores a checkpoint that is gone. */
export async function setCheckpointMachine(db: Trx, id: string, machineId: string): Promise<void> {
  await send(db, db.updateTable('checkpoints').set({ machineId }).where('id', '=', id));
}
