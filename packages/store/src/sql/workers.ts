// Workers, read and written.
import type { Worker, WorkerStatus } from '@drover/core';
import { sql } from 'kysely';
import { compiledOnce } from '../connection/compiled.ts';
import { send } from '../connection/pipeline.ts';
import type { RosterRow, WorkerFilter, WorkerRow } from '../port/workers.ts';
import { columnsWithout } from '../tables/columns.ts';
import type { Db, Trx } from './db.ts';
import { find, has, insertion, isOneOf, list, removal, writes } from './steps/rows.ts';
import { rowsOf } from './steps/given.ts';
import { changeWorkers, givenWorker, WORKER } from './steps/workers.ts';

const READ = columnsWithout('workers', 'status');

/** @returns null when there is none. */
export async function readWorker(db: Db, id: string): Promise<WorkerRow | null> {
  return find(db, 'workers', { id }, { columns: READ });
}

/** Locks the row until the end of the transaction. With a machine: only if the worker is on it. */
export async function lockWorker(db: Trx, id: string, on?: { readonly machineId: string }): Promise<WorkerRow | null> {
  const lock = on === undefined ? lockOne(db, { id }) : lockOneOn(db, { id, machineId: on.machineId });
  const { rows } = await db.executeQuery(lock);
  return rows[0] ?? null;
}

const lockOne = compiledOnce((db: Trx, { id }: { readonly id: string }) =>
  db.selectFrom('workers').select(READ).where('id', '=', id).forUpdate(),
);
const lockOneOn = compiledOnce((db: Trx, { id, machineId }: { readonly id: string; readonly machineId: string }) =>
  db.selectFrom('workers').select(READ).where('id', '=', id).where('machineId', '=', machineId).forUpdate(),
);

/** Locks those of these workers that are on this machine, in the order of their ids. */
export async function lockWorkers(
  db: Trx,
  ids: readonly string[],
  { machineId }: { readonly machineId: string },
): Promise<readonly WorkerRow[]> {
  if (ids.length === 0) return [];
  return (await db.executeQuery(lockSeveral(db, { ids, machineId }))).rows;
}

const lockSeveral = compiledOnce(
  (db: Trx, { ids, machineId }: { readonly ids: readonly string[]; readonly machineId: string }) =>
    db
      .selectFrom('workers')
      .select(READ)
      .where('id', '=', sql<string>`any(${ids}::uuid[])`)
      .where('machineId', '=', machineId)
      .orderBy('id')
      .forUpdate(),
);

/** The machines of those of these workers that exist. Locks nothing. */
export async function machinesOfWorkers(db: Trx, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await list(db, 'workers', isOneOf('id', ids), { columns: ['id', 'machineId'] });
  return new Map(rows.map(({ id, machineId }) => [id, machineId]));
}

/** Workers by name, of a project, of a machine, or all. */
export async function listWorkers(db: Db, filter: WorkerFilter = {}): Promise<readonly WorkerRow[]> {
  return db.selectFrom('workers').select(READ).where(has('workers', filter)).orderBy('name').execute();
}

/** Counts the workers in each state. A state without workers is not named. */
export async function countWorkers(db: Db): Promise<ReadonlyMap<WorkerStatus, number>> {
  const rows = await db
    .selectFrom('workers')
    .select(['status', ({ fn }) => fn.countAll<number>().as('count')])
    .groupBy('status')
    .execute();
  return new Map(rows.map(({ status, count }) => [status, count]));
}

/**
 * The same workers as `listWorkers`, without what only their own decisions read. The database takes the slices out of the states: of 500
 * workers at work these were 70 ms, and most of it was reading JSON here.
 */
export async function listRoster(db: Db, filter: WorkerFilter = {}): Promise<readonly RosterRow[]> {
  return db
    .selectFrom('workers')
    .select(['id', 'projectId', 'machineId', 'name', 'options', 'updatedAt', SLICES])
    .where(has('workers', filter))
    .orderBy('name')
    .execute();
}

const SLICES = sql<Pick<Worker, 'lifecycle' | 'merge' | 'incident' | 'move'>>`jsonb_build_object(
  'lifecycle', state->'lifecycle', 'merge', state->'merge', 'incident', state->'incident', 'move', state->'move')`.as(
  'state',
);

/** Adds a worker. @returns `name-taken` when its project has one of that name; then nothing was written. */
export async function insertWorker(
  db: Trx,
  row: Omit<WorkerRow, 'version' | 'updatedAt'>,
): Promise<'inserted' | 'name-taken'> {
  const { status } = row.state.lifecycle;
  const added = insertion(
    'workers',
    [{ ...row, status, version: 1, updatedAt: row.createdAt }],
    sql`on conflict (project_id, name) do nothing`,
  );
  return (await writes(db, added)) ? 'inserted' : 'name-taken';
}

/** The caller holds the row's lock; the version is for readers. */
export async function saveWorker(db: Trx, row: WorkerRow, now: number): Promise<void> {
  await send(db, sql`with given as (${rowsOf(WORKER, [givenWorker(row, now)])}) ${changeWorkers}`);
}

/** Removes a worker with its commands and receipts. Its history stays until it is pruned. */
export async function deleteWorker(db: Trx, id: string): Promise<void> {
  await send(db, removal('commands', { workerId: id }));
  await send(db, removal('receipts', { workerId: id }));
  await send(db, removal('workers', { id }));
}
