// Webhooks: endpoints, deliveries and attempts.
import { sql } from 'kysely';
import type { WebhookAttempt, WebhookDelivery, WebhookEndpoint } from '../../port/public/webhooks.ts';
import { send } from '../../connection/pipeline.ts';
import { instant } from '../../connection/values.ts';
import { columnsOf, columnsWithout } from '../../tables/columns.ts';
import type { Db, Trx } from '../db.ts';

const READ = columnsWithout('webhookEndpoints', 'leaseHolder', 'leaseUntil');

/** @returns `name-taken` when there is one of this name. */
export async function insertWebhookEndpoint(db: Trx, endpoint: WebhookEndpoint): Promise<'inserted' | 'name-taken'> {
  const row = await db
    .insertInto('webhookEndpoints')
    .values(columnsOf('webhookEndpoints', endpoint))
    .onConflict((conflict) => conflict.column('name').doNothing())
    .returning('id')
    .executeTakeFirst();
  return row === undefined ? 'name-taken' : 'inserted';
}

/** Locks the row until the end of the transaction. */
export async function lockWebhookEndpoint(db: Trx, id: string): Promise<WebhookEndpoint | null> {
  const query = db.selectFrom('webhookEndpoints').select(READ).where('id', '=', id).forUpdate();
  return (await query.executeTakeFirst()) ?? null;
}

/** Writes everything that can change. The caller holds the row. */
export async function saveWebhookEndpoint(db: Trx, endpoint: WebhookEndpoint): Promise<void> {
  const { id, createdAt: _at, ...changes } = endpoint;
  await send(db, db.updateTable('webhookEndpoints').set(columnsOf('webhookEndpoints', changes)).where('id', '=', id));
}

/** Removes an endpoint with all its deliveries. */
export async function deleteWebhookEndpoint(db: Trx, id: string): Promise<void> {
  await send(db, db.deleteFrom('webhookEndpoints').where('id', '=', id));
}

/** Lists endpoints by name. */
export async function listWebhookEndpoints(db: Db): Promise<readonly WebhookEndpoint[]> {
  return db.selectFrom('webhookEndpoints').select(READ).orderBy('name').execute();
}

/** Holds the endpoint until a time. The same holder may go on. @returns false when another holder has it. */
export async function leaseWebhookEndpoint(
  db: Db,
  id: string,
  { holder, now, until }: { readonly holder: string; readonly now: number; readonly until: number },
): Promise<boolean> {
  const row = await db
    .updateTable('webhookEndpoints')
    .set({ leaseHolder: holder, leaseUntil: instant(until) })
    .where('id', '=', id)
    .where(sql<boolean>`(lease_holder = ${holder} or lease_until is null or lease_until <= ${instant(now)})`)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Releases the endpoint from a time on, if this holder has it; no holder has it before. Null is the holder of one that waits for such a time. */
export async function freeWebhookEndpoint(db: Db, id: string, holder: string | null, from: number): Promise<void> {
  await send(
    db,
    db
      .updateTable('webhookEndpoints')
      .set({ leaseHolder: null, leaseUntil: instant(from) })
      .where('id', '=', id)
      .where('leaseHolder', 'is not distinct from', holder),
  );
}

/** Adds the deliveries that are not there yet, by their announcements. */
export async function insertWebhookDeliveries(db: Trx, deliveries: readonly WebhookDelivery[]): Promise<void> {
  if (deliveries.length === 0) return;
  await send(
    db,
    db
      .insertInto('webhookDeliveries')
      .values(deliveries.map((delivery) => columnsOf('webhookDeliveries', delivery)))
      .onConflict((conflict) => conflict.columns(['endpointId', 'announcementId']).doNothing()),
  );
}

/** Null: there is none. */
export async function readWebhookDelivery(db: Trx, id: string): Promise<WebhookDelivery | null> {
  return (await db.selectFrom('webhookDeliveries').selectAll().where('id', '=', id).executeTakeFirst()) ?? null;
}

/** Saves the progress of a delivery. */
export async function saveWebhookDelivery(db: Trx, { id, state, tries, nextAt }: WebhookDelivery): Promise<void> {
  const next = columnsOf('webhookDeliveries', { state, tries, nextAt });
  await send(db, db.updateTable('webhookDeliveries').set(next).where('id', '=', id));
}

/** Adds the line of an attempt, with the next number. An attempt whose delivery is gone is not kept. */
export async function insertWebhookAttempt(db: Trx, attempt: Omit<WebhookAttempt, 'number'>): Promise<void> {
  const { deliveryId, at, durationMs, status, error } = attempt;
  await send(
    db,
    sql`insert into webhook_attempts (delivery_id, number, at, duration_ms, status, error)
    select id, 1 + (select count(*) from webhook_attempts where delivery_id = id), ${instant(at)}, ${durationMs}::integer,
      ${status}::integer, ${error}
    from webhook_deliveries where id = ${deliveryId}`,
  );
}

/** Lists due deliveries, the longest due first. */
export async function dueWebhookDeliveries(
  db: Db,
  endpointId: string,
  now: number,
  limit: number,
): Promise<readonly WebhookDelivery[]> {
  return db
    .selectFrom('webhookDeliveries')
    .selectAll()
    .where('endpointId', '=', endpointId)
    .where('state', '=', 'waiting')
    .where('nextAt', '<=', instant(now))
    .orderBy('nextAt')
    .orderBy('id')
    .limit(limit)
    .execute();
}

/** Lists deliveries, newest first. */
export async function listWebhookDeliveries(
  db: Db,
  { endpointId, limit }: { readonly endpointId: string; readonly limit: number },
): Promise<readonly WebhookDelivery[]> {
  const query = db.selectFrom('webhookDeliveries').selectAll().where('endpointId', '=', endpointId);
  return query.orderBy('createdAt', 'desc').orderBy('id', 'desc').limit(limit).execute();
}

/** Lists attempts, oldest first. */
export async function listWebhookAttempts(db: Db, deliveryIds: readonly string[]): Promise<readonly WebhookAttempt[]> {
  if (deliveryIds.length === 0) return [];
  const query = db
    .selectFrom('webhookAttempts')
    .selectAll()
    .where('deliveryId', 'in', [...deliveryIds]);
  return query.orderBy('at').orderBy('number').execute();
}
