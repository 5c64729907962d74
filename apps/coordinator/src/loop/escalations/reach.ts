/** Checks that calls about a question arrive. X6: a question that no place shows brings the next step, and in the end an alarm. */
import { noteUnreached } from '@drover/core';
import type { Oncall, OncallStep, Reach } from '@drover/core';
import type { DeliveryRow, EscalationRow, PlaceKey, StoreTransaction } from '@drover/store';
import type { Context } from '../../context/context.ts';
import { placesOf } from './call.ts';
import type { Reachable } from './call.ts';
import { isOpen } from '../../facts/escalations/context.ts';
import { escalationDue } from './oncall.ts';

/** Places of the terminal in which `drover up` runs, which notifies there by itself, and reports nothing. */
const TERMINAL: ReadonlySet<string> = new Set(['bell', 'desktop']);

/** Tells whether places show the question. */
export async function reachOf(tx: StoreTransaction, row: EscalationRow): Promise<Reach> {
  return (await readReached(tx, row)).reach;
}

/**
 * Handles a place that will never show the question: calls a person at another place of theirs. If the latest step has no other place,
 * the next step is due.
 */
export async function noteUnreachable(ctx: Context, id: string): Promise<void> {
  await ctx.store.transaction(async (tx) => {
    const row = await tx.lockEscalation(id);
    if (row === null || row.oncall === null || !isOpen(row)) return;
    const now = ctx.clock.now();
    const { latest, deliveries } = await readReached(tx, row);
    for (const place of latest)
      if (find(deliveries, place) === undefined) await tx.wantDelivery(row.id, place, { now });
    if (!latest.every((place) => find(deliveries, place)?.isFinal === true)) return;
    await tx.saveOncall(id, noteUnreached(row.oncall, now));
    await tx.schedule([escalationDue(id, now)]);
  });
  ctx.hints.due(ctx.clock.now());
}

interface Reached {
  readonly reach: Reach;
  /** Places of the latest step. */
  readonly latest: readonly PlaceKey[];
  readonly deliveries: readonly DeliveryRow[];
}

async function readReached(tx: StoreTransaction, row: EscalationRow): Promise<Reached> {
  const [people, places, deliveries] = [await tx.listPeople(), await tx.listPlaces(), await tx.listDeliveries(row.id)];
  const reachable: Reachable = { people, places, deliveries, projectId: row.projectId };
  const { latest, next } = stepsOf(row.oncall, reachable);
  const isTold = (place: PlaceKey): boolean => TERMINAL.has(place.channel) || isGiven(find(deliveries, place));
  const reach: Reach = {
    isShown: latest.some(isTold),
    isNextElsewhere: next.some((place) => find(latest, place) === undefined),
    isAnywhere: deliveries.some(isTold),
    hasPlaces: places.length > 0,
  };
  return { reach, latest, deliveries };
}

function stepsOf(
  oncall: Oncall | null,
  reachable: Reachable,
): { readonly latest: readonly PlaceKey[]; readonly next: readonly PlaceKey[] } {
  if (oncall === null || oncall.step === 0) return { latest: [], next: [] };
  const { policy, step } = oncall;
  const { steps } = policy;
  const named = (one: OncallStep | undefined): readonly PlaceKey[] => placesOf(one?.notify ?? [], reachable);
  return { latest: named(steps[(step - 1) % steps.length]), next: named(steps[step % steps.length]) };
}

function isGiven(row: DeliveryRow | undefined): boolean {
  return row !== undefined && row.shown > 0 && row.pingsGiven >= row.pingsWanted;
}

function find<T extends PlaceKey>(places: readonly T[], { channel, address }: PlaceKey): T | undefined {
  return places.find((one) => one.channel === channel && one.address === address);
}
