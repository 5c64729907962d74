// Webhooks: endpoints, deliveries and attempts.
import { sql } from 'kysely';
import type { WebhookAttempt, WebhookDelivery, WebhookEndpoint } from '../../port/public/webhooks.ts';
import { send } from '../../connection/pipeline.ts';
import { instant } from '../../connection/values.ts';
import { columnsWithout } from '../../tables/columns.ts';
import type { Db, Trx } from '../db.ts';
import { change, find, insertion, isOneOf, list, LOCK, removal, writes } from '../steps/rows.ts';

const READ = columnsWithout('webhookEndpoints', 'leaseHolder', 'leaseUntil');

/** @returns `name-taken` when there is one of this name. */
export async function insertWebhookEndpoint(db: Trx, endpoint: WebhookEndpoint): Promise<'inserted' | 'name-taken'> {
  const added = await writes(db, insertion('webhookEndpoints', [endpoint], sql`on conflict (name) do nothing`));
  return added ? 'inserted' : 'name-taken';
}

/** Locks the row until the end of the transaction. */
export async function lockWebhookEndpoint(db: Trx, id: string): Promise<WebhookEndpoint | null> {
  return find(db, 'webhookEndpoints', { id }, { columns: READ, end: LOCK });
}

/** Writes everything that can change. The caller holds the row. */
export async function saveWebhookEndpoint(db: Trx, endpoint: WebhookEndpoint): Promise<void> {
  const { id, createdAt: _at, ...changes } = endpoint;
  await send(db, change('webhookEndpoints', { id }, changes));
}

/** Removes an endpoint with all its deliveries. */
export async function deleteWebhookEndpoint(db: Trx, id: string): Promise<void> {
  await send(db, removal('webhookEndpoints', { id }));
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
  const isFree = sql<boolean>`id = ${id} and (lease_holder = ${holder} or lease_until is null or lease_until <= ${instant(now)})`;
  return writes(db, change('webhookEndpoints', isFree, { leaseHolder: holder, leaseUntil: until }));
}

/** Releases the endpoint from a time on, if this holder has it; no holder has it before. Null is the holder of one that waits for such a time. */
export async function freeWebhookEndpoint(db: Db, id: string, holder: string | null, from: number): Promise<void> {
  const isHeld = { id, leaseHolder: holder };
  await send(db, change('webhookEndpoints', isHeld, { leaseHolder: null, leaseUntil: from }));
}

/** Adds the deliveries that are not there yet, by their announcements. */
export async function insertWebhookDeliveries(db: Trx, deliveries: readonly WebhookDelivery[]): Promise<void> {
  const end = sql`on conflict (endpoint_id, announcement_id) do nothing`;
  if (deliveries.length > 0) await send(db, insertion('webhookDeliveries', deliveries, end));
}

/** Null: there is none. */
export async function readWebhookDelivery(db: Trx, id: string): Promise<WebhookDelivery | null> {
  return find(db, 'webhookDeliveries', { id });
}

/** Saves the progress of a delivery. */
export async function saveWebhookDelivery(db: Trx, { id, state, tries, nextAt }: WebhookDelivery): Promise<void> {
  await send(db, change('webhookDeliveries', { id }, { state, tries, nextAt }));
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
  const isDue = sql<boolean>`endpoint_id = ${endpointId} and state = 'waiting' and next_at <= ${instant(now)}`;
  return list(db, 'webhookDeliveries', isDue, { end: sql`order by next_at, id limit ${limit}` });
}

/** Lists deliveries, newest first. */
export async function listWebhookDeliveries(
  db: Db,
  { endpointId, limit }: { readonly endpointId: string; readonly limit: number },
): Promise<readonly WebhookDelivery[]> {
  return list(db, 'webhookDeliveries', { endpointId }, { end: sql`order by created_at desc, id desc limit ${limit}` });
}

/** Lists attempts, oldest first. */
export async function listWebhookAttempts(db: Db, deliveryIds: readonly string[]): Promise<readonly WebhookAttempt[]> {
  return list(db, 'webhookAttempts', isOneOf('deliveryId', deliveryIds), { end: sql`order by at, number` });
}
