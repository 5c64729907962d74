// Questions to people in memory: the same as sql/escalations.ts.
import type { Oncall } from '@drover/core';
import type { EscalationFilter } from '../../port/escalations.ts';
import type { EscalationMember, EscalationResponse, EscalationRow } from '../../port/escalations.ts';
import type { MemoryDatabase } from './engine/database.ts';
import { comesAfter, newestFirst } from './engine/sorting.ts';

/** Opens an escalation, or raises the occurrences of the open one of its key. */
export function openEscalation(db: MemoryDatabase, row: EscalationRow): 'opened' | 'repeated' {
  db.escalations.lock(`unique ${row.dedupeKey}`);
  const open = [...db.escalations.values()].find((other) => other.dedupeKey === row.dedupeKey && isOpen(other));
  if (open === undefined) {
    if (db.escalations.has(row.id)) throw new Error(`The escalation ${row.id} is there already`);
    db.put(db.escalations, row.id, row);
    return 'opened';
  }
  const { occurrences, version } = open;
  const raised = { occurrences: occurrences + 1, version: version + 1, updatedAt: row.updatedAt };
  db.put(db.escalations, open.id, { ...open, ...raised });
  return 'repeated';
}

/** Opens an escalation whose key is new. */
export function addEscalation(db: MemoryDatabase, row: EscalationRow): void {
  if (openEscalation(db, row) === 'repeated') throw new Error(`duplicate key: ${row.dedupeKey}`);
}

/** Writes what can change; raises the version. */
export function saveEscalation(db: MemoryDatabase, row: EscalationRow): void {
  const before = db.escalations.get(row.id);
  if (before === undefined) return;
  const { dedupeKey, incidentId, workerId, workerName, projectId, createdAt } = before;
  const fixed = { dedupeKey, incidentId, workerId, workerName, projectId, createdAt };
  db.put(db.escalations, row.id, { ...row, ...fixed, version: row.version + 1 });
}

/** Writes how far the calls are; the version stays. */
export function saveOncall(db: MemoryDatabase, id: string, oncall: Oncall): void {
  const before = db.escalations.get(id);
  if (before !== undefined) db.put(db.escalations, id, { ...before, oncall });
}

/** Lists the responses to one escalation, oldest first. */
export function listResponses(db: MemoryDatabase, escalationId: string): readonly EscalationResponse[] {
  return [...db.responses.values()]
    .filter((response) => response.escalationId === escalationId)
    .toSorted((one, other) => one.at - other.at || (one.requestId < other.requestId ? -1 : 1));
}

/** Keeps a response. The first of an id stays. */
export function insertResponse(db: MemoryDatabase, response: EscalationResponse): void {
  db.responses.lock(response.requestId);
  if (!db.responses.has(response.requestId)) db.put(db.responses, response.requestId, response);
}

/** Lists escalations, newest first. */
export function listEscalations(db: MemoryDatabase, filter: EscalationFilter): readonly EscalationRow[] {
  const { dedupeKey, workerId, workerName, incidentId, open, since, idPart, limit } = filter;
  return [...db.escalations.values()]
    .filter(({ projectId }) => filter.projectId === undefined || projectId === filter.projectId)
    .filter((row) => dedupeKey === undefined || row.dedupeKey === dedupeKey)
    .filter(has(workerId, (member) => member.workerId))
    .filter(has(workerName, (member) => member.workerName))
    .filter(has(incidentId, (member) => member.incidentId))
    .filter((row) => open !== true || isOpen(row))
    .filter(({ status }) => filter.status?.includes(status) ?? true)
    .filter((row) => comesAfter({ at: row.createdAt, id: row.id }, filter.after))
    .filter((row) => since === undefined || row.createdAt >= since)
    .filter(({ id }) => idPart === undefined || id.startsWith(idPart) || id.endsWith(idPart))
    .toSorted(newestFirst(({ createdAt, id }) => [createdAt, id]))
    .slice(0, limit);
}

function isOpen({ status }: EscalationRow): boolean {
  return status === 'open' || status === 'acked';
}

function has(wanted: string | undefined, of: (member: EscalationMember) => string | null) {
  return ({ members }: EscalationRow): boolean =>
    wanted === undefined || members.some((member) => of(member) === wanted);
}
