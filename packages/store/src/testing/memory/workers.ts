// Workers in memory: the same as sql/workers.ts.
import type { WorkerStatus } from '@drover/core';
import type { WorkerFilter, WorkerRow } from '../../port/workers.ts';
import type { MemoryDatabase } from './engine/database.ts';
import { held } from './engine/table.ts';
import { tokenKey } from './people/tokens.ts';
import { dropReviews } from './reviews.ts';

/** Workers by name, of a project, of a machine, or all. */
export function listWorkers(db: MemoryDatabase, filter: WorkerFilter = {}): readonly WorkerRow[] {
  const { projectId, machineId, name, status } = filter;
  return [...db.workers.values()]
    .filter((row) => projectId === undefined || row.projectId === projectId)
    .filter((row) => machineId === undefined || row.machineId === machineId)
    .filter((row) => name === undefined || row.name === name)
    .filter((row) => status === undefined || row.state.lifecycle.status === status)
    .toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

export function countWorkers(db: MemoryDatabase): ReadonlyMap<WorkerStatus, number> {
  const counts = new Map<WorkerStatus, number>();
  for (const { state } of db.workers.values()) {
    const { status } = state.lifecycle;
    counts.set(status, (counts.get(status) ?? 0) + 1);
  }
  return counts;
}

/** Locks a worker; a worker of another machine is not locked. */
export function lockWorker(db: MemoryDatabase, id: string, on?: { readonly machineId: string }): WorkerRow | null {
  if (on !== undefined && db.workers.get(id)?.machineId !== on.machineId) return null;
  return held(db.workers, id);
}

/** The same of several on one machine, in the order of their ids. */
export function lockWorkers(
  db: MemoryDatabase,
  ids: readonly string[],
  on: { readonly machineId: string },
): readonly WorkerRow[] {
  return [...new Set(ids)].toSorted().flatMap((id) => lockWorker(db, id, on) ?? []);
}

/** The machines of workers, by the workers' ids. */
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
