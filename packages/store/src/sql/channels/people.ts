// People, who they are in chats, and their places.
import type { Selectable } from 'kysely';
import { sql } from 'kysely';
import type { IdentityRow, NewLinkCode, PersonRow, PlaceKey, PlaceMove, PlaceRow } from '../../port/channels.ts';
import type { PersonTable } from '../../tables/channels.ts';
import { send } from '../../connection/pipeline.ts';
import { instant } from '../../connection/values.ts';
import type { Db } from '../db.ts';

/** @returns `name-taken` when somebody has this name; then nothing was written. */
export async function insertPerson(db: Db, person: PersonRow): Promise<'inserted' | 'name-taken'> {
  const { id, name, role, projectId, createdAt } = person;
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('people')
    .values({ id, name, role, project_id: projectId, created_at: instant(createdAt) })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 0n ? 'name-taken' : 'inserted';
}

/** By name. */
export async function listPeople(db: Db): Promise<readonly PersonRow[]> {
  return (await db.selectFrom('people').selectAll().orderBy('name').execute()).map(toPerson);
}

/** The person of this name; null: there is none. */
export async function findPersonByName(db: Db, name: string): Promise<PersonRow | null> {
  const row = await db.selectFrom('people').selectAll().where('name', '=', name).executeTakeFirst();
  return row === undefined ? null : toPerson(row);
}

/** What else belongs to them goes by its foreign keys. */
export async function deletePerson(db: Db, id: string): Promise<void> {
  await send(
    db,
    sql`delete from deliveries using places where places.person_id = ${id}
    and places.channel = deliveries.channel and places.address = deliveries.address`,
  );
  await send(db, db.deleteFrom('people').where('id', '=', id));
}

/** Writes the role and the project, also that of their places. */
export async function savePerson(db: Db, { id, role, projectId }: PersonRow): Promise<void> {
  await send(db, db.updateTable('people').set({ role, project_id: projectId }).where('id', '=', id));
  await send(db, db.updateTable('places').set({ project_id: projectId }).where('person_id', '=', id));
}

/** Codes of this person from before are out. */
export async function insertLinkCode(db: Db, { sha256, personId, expiresAt }: NewLinkCode): Promise<void> {
  await send(db, db.deleteFrom('link_codes').where('person_id', '=', personId));
  await send(db, db.insertInto('link_codes').values({ sha256, person_id: personId, expires_at: instant(expiresAt) }));
}

/** Uses a code up. */
export async function takeLinkCode(db: Db, sha256: string, now: number): Promise<PersonRow | null> {
  const row = await db
    .deleteFrom('link_codes')
    .using('people')
    .whereRef('people.id', '=', 'link_codes.person_id')
    .where('link_codes.sha256', '=', sha256)
    .where('link_codes.expires_at', '>', instant(now))
    .returningAll('people')
    .executeTakeFirst();
  return row === undefined ? null : toPerson(row);
}

/** Who this is; null: it is not linked. */
export async function personOf(db: Db, channel: string, subject: string): Promise<PersonRow | null> {
  const row = await db
    .selectFrom('identities')
    .innerJoin('people', 'people.id', 'identities.person_id')
    .where('identities.channel', '=', channel)
    .where('identities.subject', '=', subject)
    .selectAll('people')
    .executeTakeFirst();
  return row === undefined ? null : toPerson(row);
}

/** The newest link of an identity counts. */
export async function saveIdentity(db: Db, { channel, subject, personId, linkedAt }: IdentityRow): Promise<void> {
  await send(
    db,
    db
      .insertInto('identities')
      .values({ channel, subject, person_id: personId, linked_at: instant(linkedAt) })
      .onConflict((conflict) =>
        conflict.columns(['channel', 'subject']).doUpdateSet({ person_id: personId, linked_at: instant(linkedAt) }),
      ),
  );
}

/** Oldest links first. */
export async function listIdentities(db: Db): Promise<readonly IdentityRow[]> {
  const rows = await db.selectFrom('identities').selectAll().orderBy('linked_at').orderBy('subject').execute();
  return rows.map(({ channel, subject, person_id, linked_at }) => ({
    channel,
    subject,
    personId: person_id,
    linkedAt: linked_at,
  }));
}

/** Adds a place, or says anew whose it is. */
export async function savePlace(db: Db, place: PlaceRow): Promise<void> {
  const { channel, address, personId, projectId, createdAt } = place;
  const owner = { person_id: personId, project_id: projectId };
  await send(
    db,
    db
      .insertInto('places')
      .values({ channel, address, ...owner, created_at: instant(createdAt) })
      .onConflict((conflict) => conflict.columns(['channel', 'address']).doUpdateSet(owner)),
  );
  // The bot was let in again: what failed for good there may go now.
  await send(
    db,
    db
      .updateTable('deliveries')
      .set({ is_final: false, not_before: null, failures: 0 })
      .where('channel', '=', channel)
      .where('address', '=', address)
      .where(sql<boolean>`is_final`),
  );
}

/** @returns whether there was one. */
export async function deletePlace(db: Db, { channel, address }: PlaceKey): Promise<boolean> {
  await send(db, db.deleteFrom('deliveries').where('channel', '=', channel).where('address', '=', address));
  const { numDeletedRows } = await db
    .deleteFrom('places')
    .where('channel', '=', channel)
    .where('address', '=', address)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

/** Each question is due at the new address once. @returns whether there was such a place. */
export async function movePlace(db: Db, { channel, from, to }: PlaceMove): Promise<boolean> {
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

/** Oldest first. */
export async function listPlaces(db: Db): Promise<readonly PlaceRow[]> {
  const rows = await db.selectFrom('places').selectAll().orderBy('created_at').orderBy('address').execute();
  return rows.map(({ channel, address, person_id, project_id, created_at, former_address }) => ({
    channel,
    address,
    personId: person_id,
    projectId: project_id,
    createdAt: created_at,
    formerAddress: former_address,
  }));
}

function toPerson({ id, name, role, project_id, created_at }: Selectable<PersonTable>): PersonRow {
  return { id, name, role, projectId: project_id, createdAt: created_at };
}
