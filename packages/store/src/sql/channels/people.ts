// People, who they are in chats, and their places.
import { sql } from 'kysely';
import type { IdentityRow, NewLinkCode, PersonRow, PlaceKey, PlaceMove, PlaceRow } from '../../port/channels.ts';
import { send } from '../../connection/pipeline.ts';
import { instant } from '../../connection/values.ts';
import type { Db, Trx } from '../db.ts';
import { change, find, insertion, removal, writes } from '../steps/rows.ts';

/** @returns `name-taken` when somebody has this name; then nothing was written. */
export async function insertPerson(db: Trx, person: PersonRow): Promise<'inserted' | 'name-taken'> {
  const added = await writes(db, insertion('people', [person], sql`on conflict (name) do nothing`));
  return added ? 'inserted' : 'name-taken';
}

/** Lists people by name. */
export async function listPeople(db: Db): Promise<readonly PersonRow[]> {
  return db.selectFrom('people').selectAll().orderBy('name').execute();
}

/** The person of this name; null: there is none. */
export async function findPersonByName(db: Trx, name: string): Promise<PersonRow | null> {
  return find(db, 'people', { name });
}

/** Deletes a person with their identities, codes and places. */
export async function deletePerson(db: Trx, id: string): Promise<void> {
  await send(
    db,
    sql`delete from deliveries using places where places.person_id = ${id}
    and places.channel = deliveries.channel and places.address = deliveries.address`,
  );
  await send(db, removal('people', { id }));
}

/** Writes the role and the project, also that of their places. */
export async function savePerson(db: Trx, { id, role, projectId }: PersonRow): Promise<void> {
  await send(db, change('people', { id }, { role, projectId }));
  await send(db, change('places', { personId: id }, { projectId }));
}

/** Codes of this person from before are out. */
export async function insertLinkCode(db: Trx, code: NewLinkCode): Promise<void> {
  await send(db, removal('linkCodes', { personId: code.personId }));
  await send(db, insertion('linkCodes', [code]));
}

/** Uses a code up. @returns whose it is; null for one that is unknown, used or over. */
export async function takeLinkCode(db: Trx, sha256: string, now: number): Promise<PersonRow | null> {
  const { rows } = await sql<PersonRow>`delete from link_codes using people
    where people.id = person_id and sha256 = ${sha256} and expires_at > ${instant(now)} returning people.*`.execute(db);
  return rows[0] ?? null;
}

/** Reads the person of an identity; null: the identity is not linked. */
export async function personOf(db: Db, channel: string, subject: string): Promise<PersonRow | null> {
  const { rows } = await sql<PersonRow>`select people.* from identities join people on people.id = person_id
    where channel = ${channel} and subject = ${subject}`.execute(db);
  return rows[0] ?? null;
}

/** An identity belongs to one person; the newest link counts. */
export async function saveIdentity(db: Trx, identity: IdentityRow): Promise<void> {
  const newest = sql`on conflict (channel, subject) do update set person_id = excluded.person_id, linked_at = excluded.linked_at`;
  await send(db, insertion('identities', [identity], newest));
}

/** Lists identities, oldest links first. */
export async function listIdentities(db: Db): Promise<readonly IdentityRow[]> {
  return db.selectFrom('identities').selectAll().orderBy('linkedAt').orderBy('subject').execute();
}

/** Adds a place, or says anew whose it is. */
export async function savePlace(db: Trx, { formerAddress: _former, ...place }: PlaceRow): Promise<void> {
  const { channel, address } = place;
  const anew = sql`on conflict (channel, address) do update set person_id = excluded.person_id, project_id = excluded.project_id`;
  await send(db, insertion('places', [place], anew));
  // Retries what failed for good: the bot was let in again.
  const retried = { isFinal: false, notBefore: null, failures: 0 };
  await send(db, change('deliveries', { channel, address, isFinal: true }, retried));
}

/** Deletes a place and what is due there. @returns whether there was one. */
export async function deletePlace(db: Trx, { channel, address }: PlaceKey): Promise<boolean> {
  await send(db, removal('deliveries', { channel, address }));
  return writes(db, removal('places', { channel, address }));
}

/** Moves the cards of a place to the new address, due there once for each question, without a new ping. @returns whether there was such a place. */
export async function movePlace(db: Trx, { channel, from, to }: PlaceMove): Promise<boolean> {
  const moved = await sql`with gone as (delete from places where channel = ${channel} and address = ${from} returning *)
    insert into places (channel, address, person_id, project_id, created_at, former_address)
    select channel, ${to}, person_id, project_id, created_at, ${from} from gone
    on conflict (channel, address) do update set former_address = excluded.former_address`.execute(db);
  if ((moved.numAffectedRows ?? 0n) === 0n) return false;
  await send(
    db,
    sql`delete from deliveries as old using deliveries as new
    where old.channel = ${channel} and old.address = ${from} and new.channel = ${channel} and new.address = ${to}
      and new.escalation_id = old.escalation_id`,
  );
  await send(
    db,
    sql`update deliveries set address = ${to}, shown = 0, ref = null, holder = null, held_until = null, not_before = null,
      failures = 0, error = null, is_final = false
    where channel = ${channel} and address = ${from}`,
  );
  return true;
}

/** Lists places, oldest first. */
export async function listPlaces(db: Db): Promise<readonly PlaceRow[]> {
  return db.selectFrom('places').selectAll().orderBy('createdAt').orderBy('address').execute();
}
