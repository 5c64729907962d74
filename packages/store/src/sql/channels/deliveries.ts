// Reads and writes what each place shows of each question, and which process sees to it.
import { sql } from 'kysely';
import type {
  ChannelLease,
  Claim,
  DeliveryEnd,
  DeliveryKey,
  DeliveryRow,
  DueDelivery,
  PlaceKey,
  WantedWhen,
} from '../../port/channels.ts';
import { send } from '../../connection/pipeline.ts';
import { instant } from '../../connection/values.ts';
import type { Db, Trx } from '../db.ts';
import { change, list, removal, writes } from '../steps/rows.ts';

/** Takes or keeps the work of a channel. @returns false while another process has it. */
export async function holdChannel(db: Db, { channel, holder, until, now }: Claim): Promise<boolean> {
  return writes(
    db,
    sql`insert into channel_leases as lease (channel, holder, held_until)
    values (${channel}, ${holder}, ${instant(until)})
    on conflict (channel) do update set holder = excluded.holder, held_until = excluded.held_until
    where lease.holder = excluded.holder or lease.held_until <= ${instant(now)}`,
  );
}

/** Lists the holder of each channel's work, also expired ones. */
export async function listChannelLeases(db: Db): Promise<readonly ChannelLease[]> {
  return db.selectFrom('channelLeases').selectAll().orderBy('channel').execute();
}

/** Gives it free, if this process has it. */
export async function releaseChannel(db: Db, channel: string, holder: string): Promise<void> {
  await send(db, removal('channelLeases', { channel, holder }));
}

function newRow(notBefore?: number) {
  const at = notBefore === undefined ? sql`null::timestamptz` : sql`${instant(notBefore)}::timestamptz`;
  return sql`0, null, 1, 0, null, null, ${at}, 0, null, false`;
}
const NEW_COLUMNS = sql`escalation_id, channel, address,
  shown, ref, pings_wanted, pings_given, holder, held_until, not_before, failures, error, is_final, created_at`;

/** Makes each open question due at each place of the channel that it concerns. */
export async function wantEverywhere(db: Db, channel: string, now: number): Promise<void> {
  await send(
    db,
    sql`insert into deliveries (${NEW_COLUMNS})
    select escalations.id, places.channel, places.address, ${newRow()}, ${instant(now)}
    from escalations join places on places.channel = ${channel}
      and (places.project_id is null or places.project_id = escalations.project_id)
    where escalations.status in ('open', 'acked')
    on conflict do nothing`,
  );
}

/** Shows a question at a place and pings there; once more where it is shown already. Does nothing where there is no such place. */
export async function wantDelivery(
  db: Trx,
  escalationId: string,
  { channel, address }: PlaceKey,
  { now, notBefore }: WantedWhen,
): Promise<void> {
  const gathers = notBefore === undefined ? sql`` : sql`, not_before = ${instant(notBefore)}`;
  await send(
    db,
    sql`insert into deliveries as known (${NEW_COLUMNS})
    select ${escalationId}::uuid, channel, address, ${newRow(notBefore)}, ${instant(now)} from places
    where channel = ${channel} and address = ${address}
    on conflict (escalation_id, channel, address) do update set pings_wanted = known.pings_wanted + 1${gathers}`,
  );
}

/** Claims due deliveries that no bot has in hand, oldest questions first; what another holder had in hand is free. */
export async function claimDeliveries(
  db: Db,
  { channel, holder, until, now }: Claim,
  limit: number,
): Promise<readonly DueDelivery[]> {
  const at = instant(now);
  // Skips questions that are over and were never shown: such questions need no card.
  const { rows } = await sql<DeliveryRow>`update deliveries set holder = ${holder}, held_until = ${instant(until)}
    from (
      select delivery.escalation_id, delivery.channel, delivery.address
      from deliveries as delivery join escalations on escalations.id = delivery.escalation_id
      where delivery.channel = ${channel} and not delivery.is_final
        and (delivery.shown < escalations.version or delivery.pings_given < delivery.pings_wanted)
        and (delivery.shown > 0 or escalations.status in ('open', 'acked'))
        and (delivery.not_before is null or delivery.not_before <= ${at})
        and (delivery.holder is distinct from ${holder} or delivery.held_until is null or delivery.held_until <= ${at})
      order by escalations.created_at, delivery.address limit ${limit}
      for update of delivery skip locked
    ) as due
    where due.escalation_id = deliveries.escalation_id and due.channel = deliveries.channel
      and due.address = deliveries.address
    returning deliveries.*`.execute(db);
  if (rows.length === 0) return [];
  const ids = rows.map(({ escalationId }) => escalationId);
  const found = await db.selectFrom('escalations').selectAll().where('id', 'in', ids).execute();
  const byId = new Map(found.map((row) => [row.id, row]));
  return rows
    .flatMap((delivery) => {
      const escalation = byId.get(delivery.escalationId);
      return escalation === undefined ? [] : [{ delivery, escalation }];
    })
    .toSorted((one, other) => one.escalation.createdAt - other.escalation.createdAt);
}

/** @returns false when it is in other hands meanwhile; then nothing was written. */
export async function endDelivery(db: Db, key: DeliveryKey, end: DeliveryEnd, now: number): Promise<boolean> {
  const { escalationId, channel, address, holder } = key;
  const result =
    end.kind === 'shown'
      ? { shown: end.version, ref: end.ref, shownAt: now, notBefore: null, failures: 0, error: null }
      : { notBefore: end.notBefore, failures: sql<number>`failures + 1`, error: end.error, isFinal: end.isFinal };
  const pingsGiven = end.kind === 'shown' ? sql<number>`greatest(pings_given, ${end.pings}::integer)` : undefined;
  const changes = { holder: null, heldUntil: null, pingsGiven, ...result };
  return writes(db, change('deliveries', { escalationId, channel, address, holder }, changes));
}

/** Lists the places where a question is shown, or should be. */
export async function listDeliveries(db: Db, escalationId: string): Promise<readonly DeliveryRow[]> {
  return list(db, 'deliveries', { escalationId }, { end: sql`order by channel, address` });
}

/** Lists deliveries of open questions whose last try failed, the oldest question first. */
export async function listFailingDeliveries(db: Db, limit: number): Promise<readonly DeliveryRow[]> {
  const { rows } =
    await sql<DeliveryRow>`select deliveries.* from deliveries join escalations on escalations.id = escalation_id
    where error is not null and escalations.status in ('open', 'acked')
    order by escalations.created_at, channel, address limit ${limit}`.execute(db);
  return rows;
}
