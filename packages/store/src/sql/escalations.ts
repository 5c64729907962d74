// Questions to people, and their answers.
import { sql } from 'kysely';
import type { Selectable, Transaction } from 'kysely';
import type { Oncall } from '@drover/core';
import type { EscalationFilter } from '../port/escalations.ts';
import type { EscalationResponse, EscalationRow } from '../port/escalations.ts';
import type { EscalationResponseTable, EscalationTable } from '../tables/escalations.ts';
import type { Database } from '../tables/database.ts';
import { send } from '../connection/pipeline.ts';
import { instant, isOneOf, isPartOfId, json } from '../connection/values.ts';
import type { Db } from './db.ts';

/** Holds a name until the end of the transaction. Two names may share a lock, which only makes one of them wait. */
export async function lockName(trx: Transaction<Database>, name: string): Promise<void> {
  // Not sent: the caller goes on only with the lock.
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(trx);
}

/** Opens an escalation, or raises the occurrences of the open one of its key. */
export async function openEscalation(db: Db, row: EscalationRow): Promise<'opened' | 'repeated'> {
  const { id } = await insertion(db, row)
    .onConflict((conflict) =>
      conflict
        .column('dedupe_key')
        .where(sql<boolean>`status in ('open', 'acked')`)
        .doUpdateSet({
          occurrences: sql<number>`escalations.occurrences + 1`,
          version: sql<number>`escalations.version + 1`,
          updated_at: instant(row.updatedAt),
        }),
    )
    .returning('id')
    .executeTakeFirstOrThrow();
  return id === row.id ? 'opened' : 'repeated';
}

/** Opens an escalation whose key is new. */
export async function addEscalation(db: Db, row: EscalationRow): Promise<void> {
  await send(db, insertion(db, row));
}

function insertion(db: Db, row: EscalationRow) {
  return db.insertInto('escalations').values({
    id: row.id,
    dedupe_key: row.dedupeKey,
    incident_id: row.incidentId,
    worker_id: row.workerId,
    worker_name: row.workerName,
    project_id: row.projectId,
    created_at: instant(row.createdAt),
    version: row.version,
    ...changes(row),
  });
}

function changes(row: EscalationRow) {
  return {
    incarnation: row.incarnation,
    level: row.level,
    severity: row.severity,
    status: row.status,
    title: row.title,
    body: row.body,
    context: json<unknown>(row.context),
    question: json<unknown>(row.question),
    resolution: row.resolution === null ? null : json<unknown>(row.resolution),
    application: row.application,
    members: json<unknown>(row.members),
    asked: row.asked,
    occurrences: row.occurrences,
    updated_at: instant(row.updatedAt),
    acked_by: row.ackedBy,
    resolved_at: row.resolvedAt === null ? null : instant(row.resolvedAt),
    oncall: row.oncall === null ? null : json<unknown>(row.oncall),
  };
}

/** Reads one, and with `lock` holds it until the transaction ends. @returns null when there is none. */
export async function readEscalation(db: Db, id: string, lock: boolean): Promise<EscalationRow | null> {
  const query = db.selectFrom('escalations').selectAll().where('id', '=', id);
  const row = await (lock ? query.forUpdate() : query).executeTakeFirst();
  return row === undefined ? null : toEscalation(row);
}

/** The caller holds the row's lock; the version is for readers. */
export async function saveEscalation(db: Db, row: EscalationRow): Promise<void> {
  await send(
    db,
    db
      .updateTable('escalations')
      .set({ ...changes(row), version: row.version + 1 })
      .where('id', '=', row.id),
  );
}

/** Writes how far the calls are; the version stays. */
export async function saveOncall(db: Db, id: string, oncall: Oncall): Promise<void> {
  await send(
    db,
    db
      .updateTable('escalations')
      .set({ oncall: json<unknown>(oncall) })
      .where('id', '=', id),
  );
}

/** What was said with this id, with the reply that it got. @returns null when there is none. */
export async function readResponse(db: Db, requestId: string): Promise<EscalationResponse | null> {
  const query = db.selectFrom('escalation_responses').selectAll().where('request_id', '=', requestId);
  const row = await query.executeTakeFirst();
  return row === undefined ? null : toResponse(row);
}

/** What was said of one escalation, oldest first. */
export async function listResponses(db: Db, escalationId: string): Promise<readonly EscalationResponse[]> {
  const query = db.selectFrom('escalation_responses').selectAll().where('escalation_id', '=', escalationId);
  return (await query.orderBy('at').orderBy('request_id').execute()).map(toResponse);
}

function toResponse(row: Selectable<EscalationResponseTable>): EscalationResponse {
  return {
    requestId: row.request_id,
    escalationId: row.escalation_id,
    kind: row.kind as EscalationResponse['kind'],
    asked: row.asked,
    option: row.option,
    text: row.text,
    until: row.until,
    actor: row.actor as EscalationResponse['actor'],
    reply: row.reply,
    at: row.at,
  };
}

/** Keeps what was said. The first of an id stays. */
export async function insertResponse(db: Db, response: EscalationResponse): Promise<void> {
  await send(
    db,
    db
      .insertInto('escalation_responses')
      .values({
        request_id: response.requestId,
        escalation_id: response.escalationId,
        kind: response.kind,
        asked: response.asked,
        option: response.option,
        text: response.text,
        until: response.until === null ? null : instant(response.until),
        actor: json<unknown>(response.actor),
        reply: json<unknown>(response.reply),
        at: instant(response.at),
      })
      .onConflict((conflict) => conflict.column('request_id').doNothing()),
  );
}

/** Newest first. */
export async function listEscalations(db: Db, filter: EscalationFilter): Promise<readonly EscalationRow[]> {
  let query = db.selectFrom('escalations').selectAll().orderBy('created_at', 'desc').orderBy('id', 'desc');
  if (filter.dedupeKey !== undefined) query = query.where('dedupe_key', '=', filter.dedupeKey);
  if (filter.workerId !== undefined) query = query.where(hasMember({ workerId: filter.workerId }));
  if (filter.workerName !== undefined) query = query.where(hasMember({ workerName: filter.workerName }));
  if (filter.projectId !== undefined) query = query.where('project_id', '=', filter.projectId);
  if (filter.incidentId !== undefined) query = query.where(hasMember({ incidentId: filter.incidentId }));
  if (filter.open === true) query = query.where('status', 'in', ['open', 'acked']);
  if (filter.status !== undefined) query = query.where(isOneOf('status', filter.status));
  if (filter.after !== undefined)
    query = query.where(sql<boolean>`(created_at, id) < (${instant(filter.after.at)}, ${filter.after.id}::uuid)`);
  if (filter.since !== undefined) query = query.where('created_at', '>=', instant(filter.since));
  if (filter.idPart !== undefined) query = query.where(isPartOfId('escalations.id', filter.idPart));
  return (await query.limit(filter.limit).execute()).map(toEscalation);
}

function hasMember(member: Readonly<Record<string, string>>) {
  return sql<boolean>`members @> ${JSON.stringify([member])}::text::jsonb`;
}

/** A row as the rest of Drover sees it. */
export function toEscalation(row: Selectable<EscalationTable>): EscalationRow {
  return {
    id: row.id,
    dedupeKey: row.dedupe_key,
    incidentId: row.incident_id,
    workerId: row.worker_id,
    workerName: row.worker_name,
    projectId: row.project_id,
    incarnation: row.incarnation,
    level: row.level as EscalationRow['level'],
    severity: row.severity as EscalationRow['severity'],
    status: row.status,
    title: row.title,
    body: row.body,
    context: row.context,
    question: row.question as EscalationRow['question'],
    resolution: row.resolution as EscalationRow['resolution'],
    application: row.application,
    members: row.members as EscalationRow['members'],
    asked: row.asked,
    version: row.version,
    occurrences: row.occurrences,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    ackedBy: row.acked_by,
    resolvedAt: row.resolved_at,
    oncall: row.oncall as EscalationRow['oncall'],
  };
}
