// People, who they are in chats, and their places, in memory: the same as sql/channels/people.ts.
import type { IdentityRow, NewLinkCode, PersonRow, PlaceKey, PlaceMove, PlaceRow } from '../../../port/channels.ts';
import type { MemoryDatabase } from '../engine/database.ts';

/** @returns `name-taken` when somebody has this name. */
export function insertPerson(db: MemoryDatabase, person: PersonRow): 'inserted' | 'name-taken' {
  db.people.lock(`unique ${person.name}`);
  if (findPersonByName(db, person.name) !== null) return 'name-taken';
  db.put(db.people, person.id, person);
  return 'inserted';
}

/** Lists people by name. */
export function listPeople(db: MemoryDatabase): readonly PersonRow[] {
  return [...db.people.values()].toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

/** The person of this name; null: there is none. */
export function findPersonByName(db: MemoryDatabase, name: string): PersonRow | null {
  return [...db.people.values()].find((person) => person.name === name) ?? null;
}

/** Deletes a person with what belongs to them. */
export function deletePerson(db: MemoryDatabase, id: string): void {
  for (const [key, { personId }] of db.identities) if (personId === id) db.remove(db.identities, key);
  for (const [key, { personId }] of db.linkCodes) if (personId === id) db.remove(db.linkCodes, key);
  for (const place of db.places.values()) if (place.personId === id) deletePlace(db, place);
  db.remove(db.people, id);
}

/** Writes the role and the project, also that of their places. */
export function savePerson(db: MemoryDatabase, { id, role, projectId }: PersonRow): void {
  const before = db.people.get(id);
  if (before !== undefined) db.put(db.people, id, { ...before, role, projectId });
  for (const [key, place] of db.places) if (place.personId === id) db.put(db.places, key, { ...place, projectId });
}

/** Codes of this person from before are out. */
export function insertLinkCode(db: MemoryDatabase, code: NewLinkCode): void {
  for (const [key, { personId }] of db.linkCodes) if (personId === code.personId) db.remove(db.linkCodes, key);
  db.put(db.linkCodes, code.sha256, code);
}

/** Uses a code up. */
export function takeLinkCode(db: MemoryDatabase, sha256: string, now: number): PersonRow | null {
  db.linkCodes.lock(sha256);
  const code = db.linkCodes.get(sha256);
  if (code === undefined || code.expiresAt <= now) return null;
  db.remove(db.linkCodes, sha256);
  return db.people.get(code.personId) ?? null;
}

/** Reads the person of an identity; null: the identity is not linked. */
export function personOf(db: MemoryDatabase, channel: string, subject: string): PersonRow | null {
  const identity = db.identities.get(`${channel} ${subject}`);
  return identity === undefined ? null : (db.people.get(identity.personId) ?? null);
}

/** The newest link of an identity counts. */
export function saveIdentity(db: MemoryDatabase, identity: IdentityRow): void {
  db.put(db.identities, `${identity.channel} ${identity.subject}`, identity);
}

/** Lists identities, oldest links first. */
export function listIdentities(db: MemoryDatabase): readonly IdentityRow[] {
  return [...db.identities.values()].toSorted(
    (one, other) => one.linkedAt - other.linkedAt || (one.subject < other.subject ? -1 : 1),
  );
}

/** The key of a place. */
export function placeKey({ channel, address }: PlaceKey): string {
  return `${channel} ${address}`;
}

/** Adds a place, or says anew whose it is. */
export function savePlace(db: MemoryDatabase, place: PlaceRow): void {
  const key = placeKey(place);
  const before = db.places.get(key);
  const { createdAt, formerAddress = null } = before ?? place;
  db.put(db.places, key, { ...place, createdAt, formerAddress });
  for (const [at, delivery] of db.deliveries)
    if (placeKey(delivery) === key && delivery.isFinal)
      db.put(db.deliveries, at, { ...delivery, isFinal: false, notBefore: null, failures: 0 });
}

/** @returns whether there was one. */
export function deletePlace(db: MemoryDatabase, place: PlaceKey): boolean {
  const key = placeKey(place);
  const isThere = db.places.has(key);
  for (const [at, delivery] of db.deliveries) if (placeKey(delivery) === key) db.remove(db.deliveries, at);
  db.remove(db.places, key);
  return isThere;
}

/** Makes each question due at the new address once. @returns whether there was such a place. */
export function movePlace(db: MemoryDatabase, { channel, from, to }: PlaceMove): boolean {
  const [before, after] = [from, to].map((address) => db.places.get(placeKey({ channel, address })));
  if (before === undefined) return false;
  const place = { ...(after ?? before), address: to, formerAddress: from };
  db.put(db.places, placeKey(place), place);
  for (const [at, delivery] of db.deliveries) {
    if (placeKey(delivery) !== placeKey(before)) continue;
    db.remove(db.deliveries, at);
    const key = `${delivery.escalationId} ${placeKey(place)}`;
    const free = { shown: 0, ref: null, holder: null, heldUntil: null, notBefore: null, failures: 0, error: null };
    if (!db.deliveries.has(key)) db.put(db.deliveries, key, { ...delivery, address: to, ...free, isFinal: false });
  }
  db.remove(db.places, placeKey(before));
  return true;
}

/** Lists places, oldest first. */
export function listPlaces(db: MemoryDatabase): readonly PlaceRow[] {
  return [...db.places.values()].toSorted(
    (one, other) => one.createdAt - other.createdAt || (one.address < other.address ? -1 : 1),
  );
}
