// Checkpoints: what is kept of a worker's work, to begin again from.
import { sql } from 'kysely';
import type { Selectable } from 'kysely';
import type { CheckpointFilter } from '../port/checkpoints.ts';
import type { CheckpointRow } from '../port/checkpoints.ts';
import type { CheckpointTable } from '../tables/checkpoints.ts';
import { send } from '../connection/pipeline.ts';
import { instant, json } from '../connection/values.ts';
import type { Db } from './db.ts';

/** @returns false when a checkpoint of this id is there already; then nothing was written. */
export async function insertCheckpoint(db: Db, row: CheckpointRow): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('checkpoints')
    .values({
      id: row.id,
      worker_id: row.workerId,
      worker_name: row.workerName,
      project_id: row.projectId,
      task_id: row.taskId,
      incident_id: row.incidentId,
      type: row.type,
      why: row.why,
      files: row.files,
      commit: row.commit,
      base: row.base,
      conversation: row.conversation,
      prompt: row.prompt,
      state: json<unknown>(row.state),
      machine_id: row.machineId,
      actor: row.actor === null ? null : json<unknown>(row.actor),
      created_at: instant(row.createdAt),
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows !== 0n;
}

/** @returns null when there is none of this id. */
export async function readCheckpoint(db: Db, id: string): Promise<CheckpointRow | null> {
  const row = await db.selectFrom('checkpoints').selectAll().where('id', '=', id).executeTakeFirst();
  return row === undefined ? null : toCheckpoint(row);
}

/** Newest first. */
export async function listCheckpoints(db: Db, filter: CheckpointFilter): Promise<readonly CheckpointRow[]> {
  let query = db.selectFrom('checkpoints').selectAll().orderBy('created_at', 'desc').orderBy('id', 'desc');
  if (filter.workerId !== undefined) query = query.where('worker_id', '=', filter.workerId);
  if (filter.workerName !== undefined) query = query.where('worker_name', '=', filter.workerName);
  if (filter.projectId !== undefined) query = query.where('project_id', '=', filter.projectId);
  const { after } = filter;
  if (after !== undefined)
    query = query.where(sql<boolean>`(created_at, id) < (${instant(after.at)}, ${after.id}::uuid)`);
  return (await query.limit(filter.limit).execute()).map(toCheckpoint);
}

/** Those that are gone already do not matter. */
export async function deleteCheckpoints(db: Db, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await send(db, db.deleteFrom('checkpoints').where('id', 'in', ids));
}

/** From now on this machine is asked for it. */
export async function setCheckpointMachine(db: Db, id: string, machineId: string): Promise<void> {
  await send(db, db.updateTable('checkpoints').set({ machine_id: machineId }).where('id', '=', id));
}

function toCheckpoint(row: Selectable<CheckpointTable>): CheckpointRow {
  return {
    id: row.id,
    workerId: row.worker_id,
    workerName: row.worker_name,
    projectId: row.project_id,
    taskId: row.task_id,
    incidentId: row.incident_id,
    type: row.type as CheckpointRow['type'],
    why: row.why,
    files: row.files,
    commit: row.commit,
    base: row.base,
    conversation: row.conversation,
    prompt: row.prompt,
    state: row.state as CheckpointRow['state'],
    machineId: row.machine_id,
    actor: row.actor as CheckpointRow['actor'],
    createdAt: row.created_at,
  };
}
