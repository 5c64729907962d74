// Webhooks in memory: the same as sql/public/webhooks.ts.
import type { WebhookAttempt, WebhookDelivery, WebhookEndpoint } from '../../../port/public/webhooks.ts';
import type { MemoryDatabase } from '../engine/database.ts';
import { held } from '../engine/table.ts';

/** @returns `name-taken` when there is one of this name. */
export function insertWebhookEndpoint(db: MemoryDatabase, endpoint: WebhookEndpoint): 'inserted' | 'name-taken' {
  db.webhookEndpoints.lock(`unique ${endpoint.name}`);
  if ([...db.webhookEndpoints.values()].some(({ name }) => name === endpoint.name)) return 'name-taken';
  db.put(db.webhookEndpoints, endpoint.id, endpoint);
  return 'inserted';
}

/** Locks the row until the end of the transaction. */
export function lockWebhookEndpoint(db: MemoryDatabase, id: string): WebhookEndpoint | null {
  return held(db.webhookEndpoints, id);
}

/** The caller holds the row. */
export function saveWebhookEndpoint(db: MemoryDatabase, endpoint: WebhookEndpoint): void {
  if (db.webhookEndpoints.has(endpoint.id)) db.put(db.webhookEndpoints, endpoint.id, endpoint);
}

/** Removes an endpoint with all its deliveries. */
export function deleteWebhookEndpoint(db: MemoryDatabase, id: string): void {
  for (const [key, { endpointId }] of db.webhookDeliveries) if (endpointId === id) removeDelivery(db, key);
  db.remove(db.webhookEndpoints, id);
  db.remove(db.webhookLeases, id);
}

/** Lists endpoints by name. */
export function listWebhookEndpoints(db: MemoryDatabase): readonly WebhookEndpoint[] {
  return [...db.webhookEndpoints.values()].toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

/** @returns false when another holder has it. */
export function leaseWebhookEndpoint(
  db: MemoryDatabase,
  id: string,
  { holder, now, until }: { readonly holder: string; readonly now: number; readonly until: number },
): boolean {
  db.webhookLeases.lock(id);
  const lease = db.webhookLeases.get(id);
  if (!db.webhookEndpoints.has(id)) return false;
  if (lease !== undefined && lease.holder !== holder && lease.until > now) return false;
  db.put(db.webhookLeases, id, { holder, until });
  return true;
}

/** Null is the holder of one that waits for such a time. */
export function freeWebhookEndpoint(db: MemoryDatabase, id: string, holder: string | null, from: number): void {
  db.webhookLeases.lock(id);
  if (db.webhookLeases.get(id)?.holder === holder) db.put(db.webhookLeases, id, { holder: null, until: from });
}

/** Adds the deliveries that are not there yet, by their announcements. */
export function insertWebhookDeliveries(db: MemoryDatabase, deliveries: readonly WebhookDelivery[]): void {
  for (const delivery of deliveries) {
    const { endpointId, announcementId } = delivery;
    const isKnown =
      announcementId !== null &&
      [...db.webhookDeliveries.values()].some(
        (other) => other.endpointId === endpointId && other.announcementId === announcementId,
      );
    if (!isKnown) db.put(db.webhookDeliveries, delivery.id, delivery);
  }
}

/** Saves the progress of a delivery. */
export function saveWebhookDelivery(db: MemoryDatabase, { id, state, tries, nextAt }: WebhookDelivery): void {
  const known = db.webhookDeliveries.get(id);
  if (known !== undefined) db.put(db.webhookDeliveries, id, { ...known, state, tries, nextAt });
}

/** Adds an attempt with the next number. An attempt whose delivery is gone is not kept. */
export function insertWebhookAttempt(db: MemoryDatabase, attempt: Omit<WebhookAttempt, 'number'>): void {
  if (!db.webhookDeliveries.has(attempt.deliveryId)) return;
  const number = 1 + listWebhookAttempts(db, [attempt.deliveryId]).length;
  db.put(db.webhookAttempts, `${attempt.deliveryId} ${number}`, { ...attempt, number });
}

/** Lists due deliveries, the longest due first. */
export function dueWebhookDeliveries(
  db: MemoryDatabase,
  endpointId: string,
  now: number,
  limit: number,
): readonly WebhookDelivery[] {
  return [...db.webhookDeliveries.values()]
    .filter((row) => row.endpointId === endpointId && row.state === 'waiting' && (row.nextAt ?? Infinity) <= now)
    .toSorted((one, other) => (one.nextAt ?? 0) - (other.nextAt ?? 0) || (one.id < other.id ? -1 : 1))
    .slice(0, limit);
}

/** Lists deliveries, newest first. */
export function listWebhookDeliveries(
  db: MemoryDatabase,
  { endpointId, limit }: { readonly endpointId: string; readonly limit: number },
): readonly WebhookDelivery[] {
  return [...db.webhookDeliveries.values()]
    .filter((row) => row.endpointId === endpointId)
    .toSorted((one, other) => other.createdAt - one.createdAt || (one.id < other.id ? 1 : -1))
    .slice(0, limit);
}

/** Lists attempts, oldest first. */
export function listWebhookAttempts(db: MemoryDatabase, deliveryIds: readonly string[]): readonly WebhookAttempt[] {
  return [...db.webhookAttempts.values()]
    .filter(({ deliveryId }) => deliveryIds.includes(deliveryId))
    .toSorted((one, other) => one.at - other.at || one.number - other.number);
}

/** Removes deliveries that were over before a time. */
export function pruneWebhooks(db: MemoryDatabase, before: number): void {
  for (const [id, { createdAt, state }] of db.webhookDeliveries)
    if (createdAt < before && state !== 'waiting') removeDelivery(db, id);
}

function removeDelivery(db: MemoryDatabase, id: string): void {
  for (const [key, { deliveryId }] of db.webhookAttempts) if (deliveryId === id) db.remove(db.webhookAttempts, key);
  db.remove(db.webhookDeliveries, id);
}
