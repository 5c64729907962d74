// Reads and writes what each place shows of each question, in memory: the same as sql/channels/deliveries.ts.
import type {
  ChannelLease,
  Claim,
  DeliveryEnd,
  DeliveryKey,
  DeliveryRow,
  DueDelivery,
  PlaceKey,
  PlaceRow,
  WantedWhen,
} from '../../../port/channels.ts';
import type { EscalationRow } from '../../../port/escalations.ts';
import type { MemoryDatabase } from '../engine/database.ts';
import { placeKey } from './people.ts';

/** Takes or keeps the work of a channel. */
export function holdChannel(db: MemoryDatabase, { channel, holder, until, now }: Claim): boolean {
  db.channelLeases.lock(channel);
  const lease = db.channelLeases.get(channel);
  if (lease !== undefined && lease.holder !== holder && lease.heldUntil > now) return false;
  db.put(db.channelLeases, channel, { holder, heldUntil: until });
  return true;
}

/** Gives it free, if this process has it. */
export function releaseChannel(db: MemoryDatabase, channel: string, holder: string): void {
  if (db.channelLeases.get(channel)?.holder === holder) db.remove(db.channelLeases, channel);
}

/** Makes each open question due at each place of the channel that it concerns. */
export function wantEverywhere(db: MemoryDatabase, channel: string, now: number): void {
  const places = [...db.places.values()].filter((place) => place.channel === channel);
  for (const escalation of db.escalations.values()) {
    if (!isOpen(escalation)) continue;
    for (const place of places.filter((one) => concerns(one, escalation))) {
      const key = keyOf(escalation.id, place);
      if (!db.deliveries.has(key)) db.put(db.deliveries, key, newDelivery(escalation.id, place, now));
    }
  }
}

/** Shows a question at a place and pings there; once more where it is shown already. */
export function wantDelivery(
  db: MemoryDatabase,
  escalationId: string,
  place: PlaceKey,
  { now, notBefore }: WantedWhen,
): void {
  if (!db.places.has(placeKey(place))) return;
  const key = keyOf(escalationId, place);
  const known = db.deliveries.get(key);
  const row =
    known === undefined ? newDelivery(escalationId, place, now) : { ...known, pingsWanted: known.pingsWanted + 1 };
  db.put(db.deliveries, key, { ...row, ...(notBefore !== undefined && { notBefore }) });
}

/** Claims due deliveries that no bot has in hand, oldest questions first. */
export function claimDeliveries(
  db: MemoryDatabase,
  { channel, holder, until, now }: Claim,
  limit: number,
): readonly DueDelivery[] {
  const due = [...db.deliveries.values()].flatMap((delivery) => {
    const escalation = db.escalations.get(delivery.escalationId);
    if (delivery.channel !== channel || escalation === undefined || !isDue(delivery, escalation, now)) return [];
    const isMine = delivery.holder === holder && delivery.heldUntil !== null && delivery.heldUntil > now;
    return isMine || db.deliveries.isHeld(keyOf(delivery.escalationId, delivery)) ? [] : [{ delivery, escalation }];
  });
  const first = due
    .toSorted(
      (one, other) =>
        one.escalation.createdAt - other.escalation.createdAt ||
        (one.delivery.address < other.delivery.address ? -1 : 1),
    )
    .slice(0, limit);
  return first.map(({ delivery, escalation }) => {
    const taken = { ...delivery, holder, heldUntil: until };
    db.put(db.deliveries, keyOf(delivery.escalationId, delivery), taken);
    return { delivery: taken, escalation };
  });
}

/** @returns false when it is in other hands meanwhile. */
export function endDelivery(db: MemoryDatabase, key: DeliveryKey, end: DeliveryEnd, now: number): boolean {
  const row = db.deliveries.get(keyOf(key.escalationId, key));
  if (row === undefined || row.holder !== key.holder) return false;
  const free = { ...row, holder: null, heldUntil: null };
  const ended: DeliveryRow =
    end.kind === 'shown'
      ? {
          ...free,
          shown: end.version,
          ref: end.ref,
          pingsGiven: Math.max(row.pingsGiven, end.pings),
          shownAt: now,
          notBefore: null,
          failures: 0,
          error: null,
        }
      : { ...free, notBefore: end.notBefore, failures: row.failures + 1, error: end.error, isFinal: end.isFinal };
  db.put(db.deliveries, keyOf(key.escalationId, key), ended);
  return true;
}

/** Lists the holder of each channel's work. */
export function listChannelLeases(db: MemoryDatabase): readonly ChannelLease[] {
  return [...db.channelLeases.entries()]
    .map(([channel, lease]) => ({ channel, ...lease }))
    .toSorted((one, other) => (one.channel < other.channel ? -1 : 1));
}

/** Lists deliveries of open questions whose last try failed. */
export function listFailingDeliveries(db: MemoryDatabase, limit: number): readonly DeliveryRow[] {
  return [...db.deliveries.values()]
    .flatMap((delivery) => {
      const escalation = db.escalations.get(delivery.escalationId);
      const isMeant = escalation !== undefined && isOpen(escalation) && delivery.error !== null;
      return isMeant ? [{ delivery, at: escalation.createdAt }] : [];
    })
    .toSorted((one, other) => one.at - other.at || (placeKey(one.delivery) < placeKey(other.delivery) ? -1 : 1))
    .slice(0, limit)
    .map(({ delivery }) => delivery);
}

/** Lists the places where a question is shown, or should be. */
export function listDeliveries(db: MemoryDatabase, escalationId: string): readonly DeliveryRow[] {
  return [...db.deliveries.values()]
    .filter((delivery) => delivery.escalationId === escalationId)
    .toSorted((one, other) => (placeKey(one) < placeKey(other) ? -1 : 1));
}

function keyOf(escalationId: string, place: PlaceKey): string {
  return `${escalationId} ${placeKey(place)}`;
}

function newDelivery(escalationId: string, { channel, address }: PlaceKey, now: number): DeliveryRow {
  return {
    escalationId,
    channel,
    address,
    shown: 0,
    ref: null,
    pingsWanted: 1,
    pingsGiven: 0,
    holder: null,
    heldUntil: null,
    notBefore: null,
    failures: 0,
    error: null,
    isFinal: false,
    createdAt: now,
    shownAt: null,
  };
}

function isDue(delivery: DeliveryRow, escalation: EscalationRow, now: number): boolean {
  const isBehind = delivery.shown < escalation.version || delivery.pingsGiven < delivery.pingsWanted;
  const isWanted = delivery.shown > 0 || isOpen(escalation);
  return !delivery.isFinal && isBehind && isWanted && (delivery.notBefore ?? 0) <= now;
}

function concerns(place: PlaceRow, escalation: EscalationRow): boolean {
  return place.projectId === null || place.projectId === escalation.projectId;
}

function isOpen({ status }: EscalationRow): boolean {
  return status === 'open' || status === 'acked';
}
