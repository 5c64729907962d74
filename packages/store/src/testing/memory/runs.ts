// Runs in memory: the same as sql/runs.ts.
import type { FlowRow, RunEventRow, RunFilter, RunMessageRow, RunRow, RunReservation } from '../../port/runs/runs.ts';
import type { MemoryDatabase } from './engine/database.ts';

/** Keeps a flow; one of the same digest is the same flow. */
export function keepFlow(db: MemoryDatabase, flow: FlowRow): void {
  if (!db.flows.has(flow.digest)) db.put(db.flows, flow.digest, flow);
}

/** Adds a run, unless there is one of this id. */
export function insertRun(db: MemoryDatabase, row: RunRow): 'added' | 'repeated' {
  db.runs.lock(row.id);
  if (db.runs.has(row.id)) return 'repeated';
  db.put(db.runs, row.id, row);
  return 'added';
}

/** Writes what can change. */
export function saveRun(db: MemoryDatabase, { id, status, state, seq, updatedAt, endedAt }: RunRow): void {
  const before = db.runs.get(id);
  if (before !== undefined) db.put(db.runs, id, { ...before, status, state, seq, updatedAt, endedAt });
}

/** Lists runs, newest first. */
export function listRuns(
  db: MemoryDatabase,
  { projectId, open, retryOf, idPart, after, limit }: RunFilter,
): readonly RunRow[] {
  return [...db.runs.values()]
    .filter((row) => projectId === undefined || row.projectId === projectId)
    .filter(({ endedAt }) => open !== true || endedAt === null)
    .filter(({ state }) => retryOf === undefined || state.terms.retryOf === retryOf)
    .filter(({ id }) => idPart === undefined || id.startsWith(idPart) || id.endsWith(idPart))
    .filter((row) => after === undefined || isNewer(after, row))
    .toSorted((one, other) => (isNewer(one, other) ? -1 : 1))
    .slice(0, limit);
}

/** Lists the workers that requests of runs have reserved. */
export function listReservations(db: MemoryDatabase): readonly RunReservation[] {
  return [...db.dueWork.values()].flatMap(({ kind, key, payload }) => {
    const { reserved } = payload as { readonly reserved?: string };
    return kind === 'run-request' && reserved !== undefined ? [{ key, workerId: reserved }] : [];
  });
}

type Place = Pick<RunRow, 'createdAt' | 'id'>;

function isNewer(one: Place, other: Place): boolean {
  return one.createdAt === other.createdAt ? one.id > other.id : one.createdAt > other.createdAt;
}

/** Adds an event. */
export function insertRunEvent(db: MemoryDatabase, row: RunEventRow): void {
  if (hasRunEvent(db, row.runId, row.eventId) || db.runEvents.has(keyOf(row)))
    throw new Error(`The run ${row.runId} has the event ${row.eventId} already`);
  db.put(db.runEvents, keyOf(row), row);
}

function keyOf({ runId, seq }: Pick<RunEventRow, 'runId' | 'seq'>): string {
  return `${runId} ${seq}`;
}

/** Tells whether the run has heard this event. */
export function hasRunEvent(db: MemoryDatabase, runId: string, eventId: string): boolean {
  return [...db.runEvents.values()].some((row) => row.runId === runId && row.eventId === eventId);
}

/** Lists events of a run after a number, oldest first. */
export function listRunEvents(
  db: MemoryDatabase,
  runId: string,
  { after, limit }: { readonly after: number; readonly limit: number },
): readonly RunEventRow[] {
  return [...db.runEvents.values()]
    .filter((row) => row.runId === runId && row.seq > after)
    .toSorted((one, other) => one.seq - other.seq)
    .slice(0, limit);
}

/** Adds a message; one of this id stays as it is. */
export function insertRunMessage(db: MemoryDatabase, row: RunMessageRow): void {
  if (!db.runMessages.has(row.id)) db.put(db.runMessages, row.id, row);
}

/** Notes the outcome of a message that still waits. @returns the message; null: none of this id waits. */
export function settleRunMessage(
  db: MemoryDatabase,
  id: string,
  settled: Pick<RunMessageRow, 'state' | 'why' | 'updatedAt'>,
): RunMessageRow | null {
  const row = db.runMessages.get(id);
  if (row?.state !== 'queued') return null;
  db.put(db.runMessages, id, { ...row, ...settled });
  return row;
}

/** Lists the messages of a run, oldest first. */
export function listRunMessages(db: MemoryDatabase, runId: string, limit: number): readonly RunMessageRow[] {
  return [...db.runMessages.values()]
    .filter((row) => row.runId === runId)
    .toSorted((one, other) => one.createdAt - other.createdAt || (one.id < other.id ? -1 : 1))
    .slice(0, limit);
}
