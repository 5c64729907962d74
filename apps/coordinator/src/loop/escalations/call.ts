/** Calls people about a question: each named place must show it, and give one more ping. */
import { EVERYWHERE, FIRST, OTHERS } from '@drover/core';
import type { OncallCall } from '@drover/core';
import type { DeliveryRow, EscalationRow, PersonRow, PlaceKey, PlaceRow, StoreTransaction } from '@drover/store';
import type { Context } from '../../context/context.ts';
import type { Callable } from './callable.ts';

/** People and places that can be called. */
export interface Reachable {
  readonly people: readonly PersonRow[];
  readonly places: readonly PlaceRow[];
  /** Deliveries of this question, with those that failed for good. */
  readonly deliveries: readonly Pick<DeliveryRow, 'channel' | 'address' | 'isFinal'>[];
  readonly projectId: string;
}

/** Calls people (X5): once for each step, in the transaction that counts the step. A place that several names mean is called once. */
export async function callPeople(
  ctx: Context,
  tx: StoreTransaction,
  {
    row,
    call: { notify, gatherUntil },
    callable,
    deliveries,
  }: { row: EscalationRow; call: OncallCall; callable: Callable; deliveries: Reachable['deliveries'] },
): Promise<void> {
  const [people, places] = [await callable.people(), await callable.places()];
  const { projectId } = row;
  const now = ctx.clock.now();
  for (const place of placesOf(notify, { people, places, deliveries, projectId })) {
    const isKnown = places.some((known) => isSame(known, place));
    if (!isKnown) await callable.addPlace({ ...place, personId: null, projectId, createdAt: now });
    await tx.wantDelivery(row.id, place, { now, ...(gatherUntil !== undefined && { notBefore: gatherUntil }) });
  }
}

/** Lists the places that a step names, each once, in its order. A person or role without a place has none. */
export function placesOf(notify: readonly string[], reachable: Reachable): readonly PlaceKey[] {
  const found: PlaceKey[] = [];
  for (const name of notify)
    for (const place of named(name, reachable)) if (!found.some((known) => isSame(known, place))) found.push(place);
  return found;
}

function named(name: string, reachable: Reachable): readonly PlaceKey[] {
  const { people, places, projectId } = reachable;
  if (name === EVERYWHERE) return places.filter((place) => concerns(place, projectId)).map(keyOf);
  if (name === FIRST) return firstOf(reachable);
  if (name === OTHERS) return othersOf(reachable);
  const [kind, rest] = split(name);
  if (kind === 'person')
    return placeOfPeople(
      people.filter((person) => person.name === rest),
      reachable,
    );
  if (kind === 'role') {
    const inReach = people.filter((person) => person.projectId === null || person.projectId === projectId);
    return placeOfPeople(
      inReach.filter(({ role }) => role === rest),
      reachable,
    );
  }
  // A chat that has moved matches by either address.
  const now = places.find((place) => place.channel === kind && place.formerAddress === rest);
  return [now === undefined ? { channel: kind, address: rest } : keyOf(now)];
}

/** Returns the place linked first among those where this question has not failed for good; if all have, the first. */
function firstOf({ places, deliveries, projectId }: Reachable): readonly PlaceKey[] {
  const here = places.filter((place) => concerns(place, projectId)).toSorted(byAge);
  const first = here.find((place) => !hasFailed(place, deliveries)) ?? here[0];
  return first === undefined ? [] : [keyOf(first)];
}

function othersOf(reachable: Reachable): readonly PlaceKey[] {
  const { places, projectId } = reachable;
  const first = firstOf(reachable);
  const others = places.filter((place) => concerns(place, projectId) && !first.some((one) => isSame(one, place)));
  return others.length === 0 ? first : others.map(keyOf);
}

function byAge(one: PlaceRow, other: PlaceRow): number {
  return one.createdAt - other.createdAt;
}

function hasFailed(place: PlaceKey, deliveries: Reachable['deliveries']): boolean {
  return deliveries.some((one) => one.isFinal && isSame(one, place));
}

/** Returns the first place of each person where this question has not failed for good; if all have, the first. */
function placeOfPeople(people: readonly PersonRow[], { places, deliveries }: Reachable): readonly PlaceKey[] {
  return people.flatMap(({ id }) => {
    const own = places.filter(({ personId }) => personId === id).toSorted(byAge);
    const place = own.find((known) => !hasFailed(known, deliveries)) ?? own[0];
    return place === undefined ? [] : [keyOf(place)];
  });
}

function concerns({ projectId }: PlaceRow, project: string): boolean {
  return projectId === null || projectId === project;
}

/** Splits a name: `slack:C012` is the address `C012` of the channel `slack`; a name without an address is its own, such as `desktop`. */
function split(name: string): readonly [string, string] {
  const at = name.indexOf(':');
  return at < 0 ? [name, 'here'] : [name.slice(0, at), name.slice(at + 1)];
}

function keyOf({ channel, address }: PlaceKey): PlaceKey {
  return { channel, address };
}

function isSame(one: PlaceKey, other: PlaceKey): boolean {
  return one.channel === other.channel && one.address === other.address;
}
