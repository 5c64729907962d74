// Questions to people, and their answers.
import { sql } from 'kysely';
import type { Oncall } from '@drover/core';
import type { EscalationFilter, EscalationResponse, EscalationRow } from '../port/escalations.ts';
import { send } from '../connection/pipeline.ts';
import { instant, isOneOf, isPartOfId } from '../connection/values.ts';
import { columnsOf } from '../tables/columns.ts';
import type { Db, Trx } from './db.ts';

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
  const { id } = await insertion(db, row)
    .onConflict((conflict) =>
      conflict
        .column('dedupeKey')
        .where(sql<boolean>`status in ('open', 'acked')`)
        .doUpdateSet({
          occurrences: sql<number>`escalations.occurrences + 1`,
          version: sql<number>`escalations.version + 1`,
          updatedAt: instant(row.updatedAt),
        }),
    )
    .returning('id')
    .executeTakeFirstOrThrow();
  return id === row.id ? 'opened' : 'repeated';
}

/** Opens an escalation whose key is new for sure, such as that of an incident that this transaction opened. */
export async function addEscalation(db: Trx, row: EscalationRow): Promise<void> {
  await send(db, insertion(db, row));
}

function insertion(db: Trx, row: EscalationRow) {
  return db.insertInto('escalations').values(columnsOf('escalations', row));
}

/** @returns null when there is none. */
export async function readEscalation(db: Db, id: string): Promise<EscalationRow | null> {
  return (await db.selectFrom('escalations').selectAll().where('id', '=', id).executeTakeFirst()) ?? null;
}

/** Locks the row until the end of the transaction. */
export async function lockEscalation(db: Trx, id: string): Promise<EscalationRow | null> {
  return (await db.selectFrom('escalations').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()) ?? null;
}

/** Writes everything that can change, and raises the version. The caller holds the row. */
export async function saveEscalation(db: Trx, row: EscalationRow): Promise<void> {
  const { id, dedupeKey: _key, incidentId: _incident, workerId: _worker, workerName: _name, ...rest } = row;
  const { projectId: _project, createdAt: _at, ...changes } = rest;
  const written = columnsOf('escalations', { ...changes, version: row.version + 1 });
  await send(db, db.updateTable('escalations').set(written).where('id', '=', id));
}

/** Writes how far the calls are, which no card shows: the version stays. The caller holds the row. */
export async function saveOncall(db: Trx, id: string, oncall: Oncall): Promise<void> {
  await send(db, db.updateTable('escalations').set(columnsOf('escalations', { oncall })).where('id', '=', id));
}

/** Reads the response of this id, with the reply that it got. @returns null when there is none. */
export async function readResponse(db: Db, requestId: string): Promise<EscalationResponse | null> {
  const query = db.selectFrom('escalationResponses').selectAll().where('requestId', '=', requestId);
  return (await query.executeTakeFirst()) ?? null;
}

/** Lists the responses to one escalation, oldest first. */
export async function listResponses(db: Db, escalationId: string): Promise<readonly EscalationResponse[]> {
  const query = db.selectFrom('escalationResponses').selectAll().where('escalationId', '=', escalationId);
  return query.orderBy('at').orderBy('requestId').execute();
}

/** Keeps it with its escalation. The first of an id stays. */
export async function insertResponse(db: Trx, response: EscalationResponse): Promise<void> {
  await send(
    db,
    db
      .insertInto('escalationResponses')
      .values(columnsOf('escalationResponses', response))
      .onConflict((conflict) => conflict.column('requestId').doNothing()),
  );
}

/** Lists escalations, newest first. */
export async function listEscalations(db: Db, filter: EscalationFilter): Promise<readonly EscalationRow[]> {
  let query = db.selectFrom('escalations').selectAll().orderBy('createdAt', 'desc').orderBy('id', 'desc');
  if (filter.dedupeKey !== undefined) query = query.where('dedupeKey', '=', filter.dedupeKey);
  if (filter.workerId !== undefined) query = query.where(hasMember({ workerId: filter.workerId }));
  if (filter.workerName !== undefined) query = query.where(hasMember({ workerName: filter.workerName }));
  if (filter.projectId !== undefined) query = query.where('projectId', '=', filter.projectId);
  if (filter.incidentId !== undefined) query = query.where(hasMember({ incidentId: filter.incidentId }));
  if (filter.open === true) query = query.where('status', 'in', ['open', 'acked']);
  if (filter.status !== undefined) query = query.where(isOneOf('status', filter.status));
  if (filter.after !== undefined)
    query = query.where(sql<boolean>`(created_at, id) < (${instant(filter.after.at)}, ${filter.after.id}::uuid)`);
  if (filter.since !== undefined) query = query.where('createdAt', '>=', instant(filter.since));
  if (filter.idPart !== undefined) query = query.where(isPartOfId('escalations.id', filter.idPart));
  return query.limit(filter.limit).execute();
}

function hasMember(member: Readonly<Record<string, string>>) {
  return sql<boolean>`members @> ${JSON.stringify([member])}::text::jsonb`;
}
