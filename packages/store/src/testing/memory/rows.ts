// How are projects, workers, tasks, history, profiles and tokens kept in memory? The same as their files under sql/.
import type { Reply } from '@drover/core';
import type {
  Cause,
  EventFilter,
  EventRow,
  NewEvent,
  NewObservation,
  NewProject,
  ProfileSet,
  Project,
  ReceiptRow,
  TaskRow,
  WorkerRow,
} from '../../port.ts';
import type { MemoryDatabase } from './engine/database.ts';
import { setStoredThrough } from './machines.ts';
import { held } from './recovery.ts';
import { dropReviews } from './reviews.ts';
import { tokenKey } from './people/tokens.ts';

/** A project is known by its name; everything else follows its configuration. */
export function upsertProject(db: MemoryDatabase, project: NewProject): Project {
  db.projects.lock(`unique ${project.name}`);
  const known = [...db.projects.values()].find(({ name }) => name === project.name);
  const row = { mergeWorkerId: null, ...known, ...project, id: known?.id ?? project.id };
  db.put(db.projects, row.id, row);
  return row;
}

/** All projects by name. */
export function listProjects(db: MemoryDatabase): readonly Project[] {
  return [...db.projects.values()].toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

/** Changes a project, if it is there. */
export function changeProject(db: MemoryDatabase, id: string, patch: Partial<Pick<Project, 'mergeWorkerId'>>): void {
  const row = db.projects.get(id);
  if (row !== undefined) db.put(db.projects, id, { ...row, ...patch });
}

/** Workers by name, of a project, of a machine, or all. */
export function listWorkers(
  db: MemoryDatabase,
  { projectId, machineId }: { projectId?: string; machineId?: string },
): readonly WorkerRow[] {
  return [...db.workers.values()]
    .filter((row) => projectId === undefined || row.projectId === projectId)
    .filter((row) => machineId === undefined || row.machineId === machineId)
    .toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

/** One of another machine is not locked. */
export function lockWorker(
  db: MemoryDatabase,
  id: string,
  on: { readonly machineId: string } | undefined,
): WorkerRow | null {
  if (on !== undefined && db.workers.get(id)?.machineId !== on.machineId) return null;
  return held(db.workers, id);
}

/** Where workers have their seats, by their ids. */
export function machinesOfWorkers(db: MemoryDatabase, ids: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    ids.flatMap((id) => {
      const row = db.workers.get(id);
      return row === undefined ? [] : [[id, row.machineId] as const];
    }),
  );
}

/** @returns `name-taken` when its project has one of that name. @throws Error when its project or machine is not there. */
export function insertWorker(
  db: MemoryDatabase,
  row: Omit<WorkerRow, 'version' | 'updatedAt'>,
): 'inserted' | 'name-taken' {
  if (!db.projects.has(row.projectId) || !db.machines.has(row.machineId) || db.workers.has(row.id))
    throw new Error(`The worker "${row.name}" cannot be inserted: its project or machine is unknown, or its id taken`);
  db.workers.lock(`unique ${row.projectId} ${row.name}`);
  const taken = [...db.workers.values()].some(
    ({ projectId, name }) => projectId === row.projectId && name === row.name,
  );
  if (taken) return 'name-taken';
  db.put(db.workers, row.id, { ...row, version: 1, updatedAt: row.createdAt });
  return 'inserted';
}

/** The version counts the changes. */
export function saveWorker(db: MemoryDatabase, row: WorkerRow, now: number): void {
  if (!db.workers.has(row.id)) return;
  db.put(db.workers, row.id, { ...row, version: row.version + 1, updatedAt: now });
}

/** Removes a worker with its commands and receipts. */
export function deleteWorker(db: MemoryDatabase, id: string): void {
  for (const table of [db.outbox, db.ended])
    for (const command of table.values()) if (command.workerId === id) db.remove(table, command.id);
  dropReviews(db, id);
  for (const [key, receipt] of db.receipts) if (receipt.workerId === id) db.remove(db.receipts, key);
  db.remove(db.apiTokens, tokenKey(id));
  db.remove(db.workers, id);
}

/** Notes how far the buffer is stored, too, and holds the machine's row. */
export function insertObservation(db: MemoryDatabase, observation: NewObservation): 'stored' | 'known' | 'superseded' {
  const { machineId, agentEpoch, seq } = observation;
  if (!setStoredThrough(db, observation, seq)) return 'superseded';
  const key = `${machineId} ${agentEpoch} ${seq}`;
  if (db.observations.has(key)) return 'known';
  db.put(db.observations, key, observation);
  return 'stored';
}

/** @throws Error when the order was answered before, as the unique key of the table would. */
export function insertEvent(db: MemoryDatabase, event: NewEvent): void {
  const id = db.nextId();
  db.put(db.events, id, { ...event, id, policy: event.decided.policy });
  if (event.orderId === null) return;
  const key = `${event.workerId} ${event.orderId}`;
  if (db.orders.has(key)) throw new Error(`The order ${event.orderId} was answered before`);
  db.put(db.orders, key, event.reply);
}

/** The reply to an order that this worker was given before; null when it is new. */
export function findOrder(db: MemoryDatabase, workerId: string, orderId: string): Reply | null {
  return db.orders.get(`${workerId} ${orderId}`) ?? null;
}

/** Who gave this order to the worker; null where that is not known. */
export function causeOfOrder(db: MemoryDatabase, workerId: string, orderId: string): Cause | null {
  for (const row of db.events.values()) if (row.workerId === workerId && row.orderId === orderId) return row.actor;
  return null;
}

/** Whom an order with this id was given to, if it was answered before. */
export function workerOfOrder(db: MemoryDatabase, orderId: string): string | null {
  for (const key of db.orders.keys()) {
    const [workerId, order] = key.split(' ');
    if (order === orderId) return workerId ?? null;
  }
  return null;
}

/** Oldest first after a known event, newest first without one. */
export function listEvents(db: MemoryDatabase, { workerIds, after, limit }: EventFilter): readonly EventRow[] {
  const rows = [...db.events.values()]
    .filter(({ workerId }) => workerIds === undefined || workerIds.includes(workerId))
    .filter(({ id, isQuiet }) => !isQuiet && (after === undefined || id > after))
    .toSorted((one, other) => one.id - other.id);
  return (after === undefined ? rows.toReversed() : rows).slice(0, limit);
}

/** The last receipts of a worker, newest first. */
export function listReceipts(db: MemoryDatabase, workerId: string, limit: number): readonly ReceiptRow[] {
  const rows = [...db.receipts.values()].filter((row) => row.workerId === workerId);
  return rows
    .toReversed()
    .slice(0, limit)
    .map(({ workerId: _worker, ...receipt }) => receipt);
}

/** Adds a task; one that is there already, by its id, stays as it is. */
export function insertTask(db: MemoryDatabase, task: TaskRow): void {
  if (!db.tasks.has(task.id)) db.put(db.tasks, task.id, task);
}

/** Moves a task. */
export function setTaskStatus(db: MemoryDatabase, id: string, status: string): void {
  const task = db.tasks.get(id);
  if (task !== undefined) db.put(db.tasks, id, { ...task, status });
}

/** Documents that were taken back count for the revision only. */
export function readProfiles(db: MemoryDatabase): ProfileSet {
  const rows = [...db.profiles.values()].toSorted((one, other) => (one.name < other.name ? -1 : 1));
  return {
    revision: Math.max(0, ...rows.map(({ revision }) => revision)),
    documents: rows.filter(({ document }) => document !== null),
  };
}

/** Every change has a revision of its own, also one that takes a document back. */
export function putProfile(db: MemoryDatabase, name: string, document: unknown): number {
  const revision = db.nextId();
  db.put(db.profiles, name, { name, revision, document });
  return revision;
}
