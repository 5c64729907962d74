// Questions to people, and their answers.
import { sql } from 'kysely';
import type { Oncall } from '@drover/core';
import type { EscalationFilter, EscalationResponse, EscalationRow } from '../port/escalations.ts';
import { send } from '../connection/pipeline.ts';
import { isPartOfId } from '../connection/values.ts';
import type { Db, Trx } from './db.ts';
import { change, find, has, insertion, isBehind, isOneOf, isSince, KEEP, LOCK, one } from './steps/rows.ts';

/**
 * Locks a name for one transaction at a time, until its end. For what has no row to lock: a storm that may be folded.
 * Two names may share a lock, which only makes one of them wait.
 */
export async function lockName(db: Trx, name: string): Promise<void> {
  // Waits for the answer: the caller goes on only with the lock.
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(db);
}

/** Opens an escalation. @returns `repeated`, having raised the occurrences, when one of its key is open. */
export async function openEscalation(db: Trx, row: EscalationRow): Promise<'opened' | 'repeated'> {
  const repeated = sql`on conflict (dedupe_key) where status in ('open', 'acked') do update
    set occurrences = escalations.occurrences + 1, version = escalations.version + 1, updated_at = excluded.updated_at
    returning id`;
  return (await one(db, insertion('escalations', [row], repeated))).id === row.id ? 'opened' : 'repeated';
}

/** Opens an escalation whose key is new for sure, such as that of an incident that this transaction opened. */
export async function addEscalation(db: Trx, row: EscalationRow): Promise<void> {
  await send(db, insertion('escalations', [row]));
}

/** @returns null when there is none. */
export async function readEscalation(db: Db, id: string): Promise<EscalationRow | null> {
  return find(db, 'escalations', { id });
}

/** Locks the row until the end of the transaction. */
export async function lockEscalation(db: Trx, id: string): Promise<EscalationRow | null> {
  return find(db, 'escalations', { id }, { end: LOCK });
}

/** Writes everything that can change, and raises the version. The caller holds the row. */
export async function saveEscalation(db: Trx, row: EscalationRow): Promise<void> {
  const { id, dedupeKey: _key, incidentId: _incident, workerId: _worker, workerName: _name, ...rest } = row;
  const { projectId: _project, createdAt: _at, ...changes } = rest;
  await send(db, change('escalations', { id }, { ...changes, version: row.version + 1 }));
}

/** Writes how far the calls are, which no card shows: the version stays. The caller holds the row. */
export async function saveOncall(db: Trx, id: string, oncall: Oncall): Promise<void> {
  await send(db, change('escalations', { id }, { oncall }));
}

/** Reads the response of this id, with the reply that it got. @returns null when there is none. */
export async function readResponse(db: Db, requestId: string): Promise<EscalationResponse | null> {
  return find(db, 'escalationResponses', { requestId });
}

/** Lists the responses to one escalation, oldest first. */
export async function listResponses(db: Db, escalationId: string): Promise<readonly EscalationResponse[]> {
  const query = db.selectFrom('escalationResponses').selectAll().where('escalationId', '=', escalationId);
  return query.orderBy('at').orderBy('requestId').execute();
}

/** Keeps it with its escalation. The first of an id stays. */
export async function insertResponse(db: Trx, response: EscalationResponse): Promise<void> {
  await send(db, insertion('escalationResponses', [response], KEEP));
}

/** Lists escalations, newest first. */
export async function listEscalations(db: Db, filter: EscalationFilter): Promise<readonly EscalationRow[]> {
  const { dedupeKey, projectId, workerId, workerName, incidentId, open, status, after, since, idPart, limit } = filter;
  return db
    .selectFrom('escalations')
    .selectAll()
    .where(has('escalations', { dedupeKey, projectId }))
    .where(hasMembers({ workerId, workerName, incidentId }))
    .where(isOneOf('status', open === true ? ['open', 'acked'] : undefined))
    .where(isOneOf('status', status))
    .where(isBehind('created_at', after))
    .where(isSince('created_at', since))
    .where(isPartOfId('escalations.id', idPart))
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

/** A member has each of these, though not one member all of them. */
function hasMembers(wanted: Readonly<Record<string, string | undefined>>) {
  const members = Object.entries(wanted).flatMap(([name, value]) => (value === undefined ? [] : [{ [name]: value }]));
  return members.length === 0 ? sql<boolean>`true` : sql<boolean>`members @> ${JSON.stringify(members)}::text::jsonb`;
}
