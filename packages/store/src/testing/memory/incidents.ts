// Incidents, errors and episodes in memory: the same as sql/incidents.ts and sql/errors.ts.
import { markRecovered } from '@drover/core';
import type { EpisodeFilter, ErrorFilter, IncidentFilter, LooseEnd, LooseErrors } from '../../port/incidents.ts';
import type { EpisodeRow, ErrorRow, Evidence, IncidentRow, ListedError } from '../../port/incidents.ts';
import type { MemoryDatabase } from './engine/database.ts';
import { comesAfter, newestFirst } from './engine/sorting.ts';

/** Adds incidents, or writes what changes of them. The end of an incident is final. */
export function saveIncidents(db: MemoryDatabase, rows: readonly IncidentRow[]): void {
  for (const row of rows) {
    const { level, attempts, tried, closedAt, outcome } = row;
    const before = db.incidents.get(row.id) ?? { ...row, closedAt: null };
    if (before.closedAt === null)
      db.put(db.incidents, row.id, { ...before, level, attempts, tried, closedAt, outcome });
  }
}

/** Lists incidents, newest first. */
export function listIncidents(db: MemoryDatabase, filter: IncidentFilter): readonly IncidentRow[] {
  return [...db.incidents.values()]
    .filter(({ workerId }) => filter.workerId === undefined || workerId === filter.workerId)
    .filter(({ workerId }) => filter.workerIds?.includes(workerId) !== false)
    .filter(({ workerName }) => filter.workerName === undefined || workerName === filter.workerName)
    .filter(({ openedAt }) => filter.since === undefined || openedAt >= filter.since)
    .filter(({ closedAt }) => filter.open !== true || closedAt === null)
    .toSorted(newestFirst(({ openedAt, id }) => [openedAt, id]))
    .slice(0, filter.limit);
}

/** Adds rows to the error log. @throws Error when an id is taken. */
export function insertErrors(db: MemoryDatabase, rows: readonly ErrorRow[]): void {
  for (const row of rows) {
    if (db.errors.has(row.id)) throw new Error(`The error ${row.id} is there already`);
    db.put(db.errors, row.id, row);
  }
}

/** Saves evidence of an error that came after the error was written. */
export function saveEvidence(db: MemoryDatabase, errorId: string, evidence: Evidence): void {
  const row = db.errors.get(errorId);
  if (row !== undefined) db.put(db.errors, errorId, { ...row, evidence });
}

/** The id of the newest error of an incident; null when it has none. */
export function lastErrorOf(db: MemoryDatabase, incidentId: string): string | null {
  let last: ErrorRow | null = null;
  for (const row of db.errors.values()) {
    if (row.incidentId === incidentId && (last === null || row.timestamp >= last.timestamp)) last = row;
  }
  return last?.id ?? null;
}

/** Marks those that are not marked yet. */
export function markErrorsRecovered(db: MemoryDatabase, incidentId: string, recoveredAt: number): void {
  for (const row of db.errors.values()) {
    if (row.incidentId === incidentId && !row.recovered) db.put(db.errors, row.id, markRecovered(row, recoveredAt));
  }
}

/** Ends those of a worker that belong to no incident and are open. */
export function endLooseErrors(db: MemoryDatabase, which: LooseErrors, { outcome, at }: LooseEnd): void {
  const { workerId, component, task } = which;
  for (const row of db.errors.values()) {
    const isMeant = row.workerId === workerId && row.incidentId === null && row.component.startsWith(component);
    const isOver = row.recovered || row.calledOffAt !== null;
    if (!isMeant || isOver || (task !== undefined && row.task !== task)) continue;
    db.put(db.errors, row.id, outcome === 'recovered' ? markRecovered(row, at) : { ...row, calledOffAt: at });
  }
}

/** Lists errors, newest first. */
export function listErrors(db: MemoryDatabase, filter: ErrorFilter): readonly ListedError[] {
  return [...db.errors.values()]
    .map((row) => ({ ...row, outcome: outcomeOf(db, row) }))
    .filter(({ workerId }) => filter.workerIds === undefined || filter.workerIds.includes(workerId ?? ''))
    .filter(({ worker }) => filter.workerName === undefined || worker === filter.workerName)
    .filter(({ incidentId }) => filter.incidentId === undefined || incidentId === filter.incidentId)
    .filter(({ id }) => filter.idPart === undefined || id.startsWith(filter.idPart) || id.endsWith(filter.idPart))
    .filter(({ code }) => filter.code === undefined || code === filter.code)
    .filter(({ timestamp }) => filter.since === undefined || timestamp >= filter.since)
    .filter(({ recovered, outcome }) => filter.open !== true || (!recovered && outcome === null))
    .filter(({ timestamp, id }) => comesAfter({ at: timestamp, id }, filter.after))
    .toSorted(newestFirst(({ timestamp, id }) => [timestamp, id]))
    .slice(0, filter.limit);
}

function outcomeOf(db: MemoryDatabase, { incidentId, calledOffAt }: ErrorRow): ListedError['outcome'] {
  const outcome = incidentId === null ? null : (db.incidents.get(incidentId)?.outcome ?? null);
  return outcome ?? (calledOffAt === null ? null : 'cancelled');
}

/** Adds lines to the episodes of workers. */
export function insertEpisodes(db: MemoryDatabase, rows: readonly Omit<EpisodeRow, 'id'>[]): void {
  for (const row of rows) {
    const id = db.nextId();
    db.put(db.episodes, id, { ...row, id });
  }
}

/** Lists episodes, newest first. */
export function listEpisodes(db: MemoryDatabase, filter: EpisodeFilter): readonly EpisodeRow[] {
  return [...db.episodes.values()]
    .filter(({ workerId }) => filter.workerIds?.includes(workerId) !== false)
    .filter(({ workerName }) => filter.workerName === undefined || workerName === filter.workerName)
    .filter(({ incidentId }) => filter.incidentId === undefined || incidentId === filter.incidentId)
    .filter(({ at }) => filter.since === undefined || at >= filter.since)
    .toSorted((one, other) => other.id - one.id)
    .slice(0, filter.limit);
}
