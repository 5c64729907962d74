// Workers, read and written.
import type { WorkerStatus } from '@drover/core';
import { expressionBuilder, sql } from 'kysely';
import type { Expression, Selectable, SqlBool } from 'kysely';
import { send } from '../connection/pipeline.ts';
import { instant, json } from '../connection/values.ts';
import type { RosterRow, WorkerFilter, WorkerOptions, WorkerRow } from '../port/workers.ts';
import type { Database } from '../tables/database.ts';
import type { WorkerTable } from '../tables/workers.ts';
import type { Db } from './db.ts';
import { rowsOf } from './given.ts';
import type { Columns } from './given.ts';

/** Only coordinators write this row, so it is read unchecked; a change of its shape comes with a migration. */
function toWorker(row: Selectable<WorkerTable>): WorkerRow {
  return {
    id: row.id,
    projectId: row.project_id,
    machineId: row.machine_id,
    name: row.name,
    options: row.options as WorkerOptions,
    state: row.state as WorkerRow['state'],
    version: row.version,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

/** @returns null when there is none. */
export async function readWorker(db: Db, id: string): Promise<WorkerRow | null> {
  const row = await db.selectFrom('workers').selectAll().where('id', '=', id).executeTakeFirst();
  return row === undefined ? null : toWorker(row);
}

/** Reads a worker and holds it until the transaction ends. One of another machine is not locked. */
export async function lockWorker(
  db: Db,
  id: string,
  on: { readonly machineId: string } | undefined,
): Promise<WorkerRow | null> {
  const query = db.selectFrom('workers').selectAll().where('id', '=', id).forUpdate();
  const row = await (on === undefined ? query : query.where('machine_id', '=', on.machineId)).executeTakeFirst();
  return row === undefined ? null : toWorker(row);
}

/** The same of several on one machine, in the order of their ids. */
export async function lockWorkers(
  db: Db,
  ids: readonly string[],
  { machineId }: { readonly machineId: string },
): Promise<readonly WorkerRow[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom('workers')
    .selectAll()
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('machine_id', '=', machineId)
    .orderBy('id')
    .forUpdate()
    .execute();
  return rows.map(toWorker);
}

/** The machines of workers, by the workers' ids. */
export async function machinesOfWorkers(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('workers')
    .select(['id', 'machine_id'])
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute();
  return new Map(rows.map(({ id, machine_id: machineId }) => [id, machineId]));
}

/** Workers by name, of a project, of a machine, or all. */
export async function listWorkers(db: Db, filter: WorkerFilter): Promise<readonly WorkerRow[]> {
  const rows = await db.selectFrom('workers').selectAll().where(fits(filter)).orderBy('name').execute();
  return rows.map(toWorker);
}

function fits({ projectId, machineId, status }: WorkerFilter): Expression<SqlBool> {
  const { and, eb } = expressionBuilder<Database, 'workers'>();
  return and([
    ...(projectId === undefined ? [] : [eb('project_id', '=', projectId)]),
    ...(machineId === undefined ? [] : [eb('machine_id', '=', machineId)]),
    ...(status === undefined ? [] : [eb('status', '=', status)]),
  ]);
}

/** How many are in each state. */
export async function countWorkers(db: Db): Promise<ReadonlyMap<WorkerStatus, number>> {
  const rows = await db
    .selectFrom('workers')
    .select(['status', ({ fn }) => fn.countAll<string>().as('count')])
    .groupBy('status')
    .execute();
  return new Map(rows.map(({ status, count }) => [status as WorkerStatus, Number(count)]));
}

/**
 * The same of each as much as others go by. The database takes the slices out of the states: of 500 workers at work these were 70 ms,
 * and most of it was reading JSON here.
 */
export async function listRoster(db: Db, filter: WorkerFilter): Promise<readonly RosterRow[]> {
  const rows = await db
    .selectFrom('workers')
    .select(['id', 'project_id', 'machine_id', 'name', 'options', 'updated_at', SLICES])
    .where(fits(filter))
    .orderBy('name')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    projectId: row.project_id,
    machineId: row.machine_id,
    name: row.name,
    options: row.options as WorkerOptions,
    state: row.slices as RosterRow['state'],
    updatedAt: row.updated_at,
  }));
}

const SLICES = sql`jsonb_build_object('lifecycle', state->'lifecycle', 'merge', state->'merge',
  'incident', state->'incident', 'move', state->'move')`.as('slices');

/** Adds a worker. @returns `name-taken` when its project has one of that name; then nothing was written. */
export async function insertWorker(
  db: Db,
  row: Omit<WorkerRow, 'version' | 'updatedAt'>,
): Promise<'inserted' | 'name-taken'> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('workers')
    .values({
      id: row.id,
      project_id: row.projectId,
      machine_id: row.machineId,
      name: row.name,
      options: json(row.options),
      state: json(row.state),
      status: row.state.lifecycle.status,
      version: 1,
      created_at: instant(row.createdAt),
      updated_at: instant(row.createdAt),
    })
    .onConflict((conflict) => conflict.columns(['project_id', 'name']).doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 0n ? 'name-taken' : 'inserted';
}

/** The caller holds the row's lock; the version is for readers. */
export async function saveWorker(db: Db, row: WorkerRow, now: number): Promise<void> {
  await send(db, sql`with given as (${rowsOf(WORKER, [givenWorker(row, now)])}) ${changeWorkers}`);
}

/** What is `given` of a worker that is saved. */
export const WORKER = {
  worker: 'uuid',
  machine: 'uuid',
  options: 'jsonb',
  state: 'jsonb',
  status: 'text',
  version: 'bigint',
  saved_at: 'double precision',
} satisfies Columns;

/** The same of one worker. */
export function givenWorker(
  { id, machineId, options, state, version }: WorkerRow,
  now: number,
): Record<keyof typeof WORKER, unknown> {
  const status = state.lifecycle.status satisfies WorkerStatus;
  return { worker: id, machine: machineId, options, state, status, version: version + 1, saved_at: now };
}

/** The statement that saves the workers that are `given`. */
export const changeWorkers = sql`update workers set machine_id = given.machine, options = given.options,
    state = given.state, status = given.status, version = given.version,
    updated_at = to_timestamp(given.saved_at / 1000)
  from given where workers.id = given.worker`;

/** Removes a worker with its commands and receipts. Its history stays until it is pruned. */
export async function deleteWorker(db: Db, id: string): Promise<void> {
  await send(db, db.deleteFrom('commands').where('worker_id', '=', id));
  await send(db, db.deleteFrom('receipts').where('worker_id', '=', id));
  await send(db, db.deleteFrom('workers').where('id', '=', id));
}
