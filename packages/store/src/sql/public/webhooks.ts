// Webhooks: endpoints, deliveries and attempts.
import { sql } from 'kysely';
import type { Selectable } from 'kysely';
import type { WebhookAttempt, WebhookDelivery, WebhookEndpoint } from '../../port/public/webhooks.ts';
import type { WebhookDeliveryTable, WebhookEndpointTable } from '../../tables/public/webhooks.ts';
import { send } from '../../connection/pipeline.ts';
import { instant, json } from '../../connection/values.ts';
import type { Db } from '../db.ts';

/** @returns `name-taken` when there is one of this name. */
export async function insertWebhookEndpoint(db: Db, endpoint: WebhookEndpoint): Promise<'inserted' | 'name-taken'> {
  const row = await db
    .insertInto('webhook_endpoints')
    .values({ id: endpoint.id, created_at: instant(endpoint.createdAt), ...changes(endpoint) })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .returning('id')
    .executeTakeFirst();
  return row === undefined ? 'name-taken' : 'inserted';
}

function changes(endpoint: WebhookEndpoint) {
  return {
    name: endpoint.name,
    url: endpoint.url,
    types: json<unknown>(endpoint.types),
    format: endpoint.format,
    project_id: endpoint.projectId,
    secret: endpoint.secret,
    old_secret: endpoint.oldSecret,
    old_secret_until: instantOf(endpoint.oldSecretUntil),
    cursor: endpoint.cursor,
    failing_since: instantOf(endpoint.failingSince),
    disabled_at: instantOf(endpoint.disabledAt),
    disabled_why: endpoint.disabledWhy,
  };
}

function instantOf(at: number | null) {
  return at === null ? null : instant(at);
}

/** Locks the row until the end of the transaction. */
export async function lockWebhookEndpoint(db: Db, id: string): Promise<WebhookEndpoint | null> {
  const row = await db.selectFrom('webhook_endpoints').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
  return row === undefined ? null : toEndpoint(row);
}

/** The caller holds the row. */
export async function saveWebhookEndpoint(db: Db, endpoint: WebhookEndpoint): Promise<void> {
  await send(db, db.updateTable('webhook_endpoints').set(changes(endpoint)).where('id', '=', endpoint.id));
}

/** Removes it with everything that it was told. */
export async function deleteWebhookEndpoint(db: Db, id: string): Promise<void> {
  await send(db, db.deleteFrom('webhook_endpoints').where('id', '=', id));
}

/** By name. */
export async function listWebhookEndpoints(db: Db): Promise<readonly WebhookEndpoint[]> {
  return (await db.selectFrom('webhook_endpoints').selectAll().orderBy('name').execute()).map(toEndpoint);
}

/** @returns false when another holder has it. */
export async function leaseWebhookEndpoint(
  db: Db,
  id: string,
  { holder, now, until }: { readonly holder: string; readonly now: number; readonly until: number },
): Promise<boolean> {
  const row = await db
    .updateTable('webhook_endpoints')
    .set({ lease_holder: holder, lease_until: instant(until) })
    .where('id', '=', id)
    .where(sql<boolean>`(lease_holder = ${holder} or lease_until is null or lease_until <= ${instant(now)})`)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Null is the holder of one that waits for such a time. */
export async function freeWebhookEndpoint(
  db: Db,
  id: string,
  { holder, from }: { readonly holder: string | null; readonly from: number },
): Promise<void> {
  await send(
    db,
    db
      .updateTable('webhook_endpoints')
      .set({ lease_holder: null, lease_until: instant(from) })
      .where('id', '=', id)
      .where('lease_holder', 'is not distinct from', holder),
  );
}

/** Adds what is not there yet, by its announcement. */
export async function insertWebhookDeliveries(db: Db, deliveries: readonly WebhookDelivery[]): Promise<void> {
  if (deliveries.length === 0) return;
  await send(
    db,
    db
      .insertInto('webhook_deliveries')
      .values(
        deliveries.map((delivery) => ({
          id: delivery.id,
          endpoint_id: delivery.endpointId,
          announcement_id: delivery.announcementId,
          body: json<unknown>(delivery.body),
          state: delivery.state,
          tries: delivery.tries,
          next_at: instantOf(delivery.nextAt),
          created_at: instant(delivery.createdAt),
        })),
      )
      .onConflict((conflict) => conflict.columns(['endpoint_id', 'announcement_id']).doNothing()),
  );
}

/** Null: there is none. */
export async function readWebhookDelivery(db: Db, id: string): Promise<WebhookDelivery | null> {
  const row = await db.selectFrom('webhook_deliveries').selectAll().where('id', '=', id).executeTakeFirst();
  return row === undefined ? null : toDelivery(row);
}

/** How it goes on with a delivery. */
export async function saveWebhookDelivery(db: Db, { id, state, tries, nextAt }: WebhookDelivery): Promise<void> {
  const next = { state, tries, next_at: instantOf(nextAt) };
  await send(db, db.updateTable('webhook_deliveries').set(next).where('id', '=', id));
}

/** With the next number. One whose delivery is gone is not kept. */
export async function insertWebhookAttempt(db: Db, attempt: Omit<WebhookAttempt, 'number'>): Promise<void> {
  const { deliveryId, at, durationMs, status, error } = attempt;
  await send(
    db,
    sql`insert into webhook_attempts (delivery_id, number, at, duration_ms, status, error)
    select id, 1 + (select count(*) from webhook_attempts where delivery_id = id), ${instant(at)}, ${durationMs}::integer,
      ${status}::integer, ${error}
    from webhook_deliveries where id = ${deliveryId}`,
  );
}

/** What is due, the longest first. */
export async function dueWebhookDeliveries(
  db: Db,
  endpointId: string,
  { now, limit }: { readonly now: number; readonly limit: number },
): Promise<readonly WebhookDelivery[]> {
  const rows = await db
    .selectFrom('webhook_deliveries')
    .selectAll()
    .where('endpoint_id', '=', endpointId)
    .where('state', '=', 'waiting')
    .where('next_at', '<=', instant(now))
    .orderBy('next_at')
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(toDelivery);
}

/** Newest first. */
export async function listWebhookDeliveries(
  db: Db,
  { endpointId, limit }: { readonly endpointId: string; readonly limit: number },
): Promise<readonly WebhookDelivery[]> {
  const query = db.selectFrom('webhook_deliveries').selectAll().where('endpoint_id', '=', endpointId);
  const rows = await query.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(limit).execute();
  return rows.map(toDelivery);
}

/** Oldest first. */
export async function listWebhookAttempts(db: Db, deliveryIds: readonly string[]): Promise<readonly WebhookAttempt[]> {
  if (deliveryIds.length === 0) return [];
  const query = db
    .selectFrom('webhook_attempts')
    .selectAll()
    .where('delivery_id', 'in', [...deliveryIds]);
  const rows = await query.orderBy('at').orderBy('number').execute();
  return rows.map((row) => ({
    deliveryId: row.delivery_id,
    number: row.number,
    at: row.at,
    durationMs: row.duration_ms,
    status: row.status,
    error: row.error,
  }));
}

function toEndpoint(row: Selectable<WebhookEndpointTable>): WebhookEndpoint {
  return {
    id: row.id,
    name: row.name,
    url: row.url,
    types: row.types as WebhookEndpoint['types'],
    format: row.format,
    projectId: row.project_id,
    secret: row.secret,
    oldSecret: row.old_secret,
    oldSecretUntil: row.old_secret_until,
    cursor: row.cursor,
    failingSince: row.failing_since,
    disabledAt: row.disabled_at,
    disabledWhy: row.disabled_why,
    createdAt: row.created_at,
  };
}

function toDelivery(row: Selectable<WebhookDeliveryTable>): WebhookDelivery {
  return {
    id: row.id,
    endpointId: row.endpoint_id,
    announcementId: row.announcement_id,
    body: row.body,
    state: row.state,
    tries: row.tries,
    nextAt: row.next_at,
    createdAt: row.created_at,
  };
}
