// People, who they are in chats, and their places.
import { sql } from 'kysely';
import type { IdentityRow, NewLinkCode, PersonRow, PlaceKey, PlaceMove, PlaceRow } from '../../port/channels.ts';
import { send } from '../../connection/pipeline.ts';
import { instant } from '../../connection/values.ts';
import { columnsOf } from '../../tables/columns.ts';
import type { Db, Trx } from '../db.ts';

/** @returns `name-taken` when somebody has this name; then nothing was written. */
export async function insertPerson(db: Trx, person: PersonRow): Promise<'inserted' | 'name-taken'> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('people')
    .values(columnsOf('people', person))
    .onConflict((conflict) => conflict.column('name').doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 0n ? 'name-taken' : 'inserted';
}

/** Lists people by name. */
export async function listPeople(db: Db): Promise<readonly PersonRow[]> {
  return db.selectFrom('people').selectAll().orderBy('name').execute();
}

/** The person of this name; null: there is none. */
export async function findPersonByName(db: Trx, name: string): Promise<PersonRow | null> {
  return (await db.selectFrom('people').selectAll().where('name', '=', name).executeTakeFirst()) ?? null;
}

/** Deletes a person with their identities, codes and places. */
export async function deletePerson(db: Trx, id: string): Promise<void> {
  await send(
    db,
    sql`delete from deliveries using places where places.person_id = ${id}
    and places.channel = deliveries.channel and places.address = deliveries.address`,
  );
  await send(db, db.deleteFrom('people').where('id', '=', id));
}

/** Writes the role and the project, also that of their places. */
export async function savePerson(db: Trx, { id, role, projectId }: PersonRow): Promise<void> {
  await send(db, db.updateTable('people').set({ role, projectId }).where('id', '=', id));
  await send(db, db.updateTable('places').set({ projectId }).where('personId', '=', id));
}

/** Codes of this person from before are out. */
export async function insertLinkCode(db: Trx, code: NewLinkCode): Promise<void> {
  await send(db, db.deleteFrom('linkCodes').where('personId', '=', code.personId));
  await send(db, db.insertInto('linkCodes').values(columnsOf('linkCodes', code)));
}

/** Uses a code up. @returns whose it is; null for one that is unknown, used or over. */
export async function takeLinkCode(db: Trx, sha256: string, now: number): Promise<PersonRow | null> {
  const row = await db
    .deleteFrom('linkCodes')
    .using('people')
    .whereRef('people.id', '=', 'linkCodes.personId')
    .where('linkCodes.sha256', '=', sha256)
    .where('linkCodes.expiresAt', '>', instant(now))
    .returningAll('people')
    .executeTakeFirst();
  return row ?? null;
}

/** Reads the person of an identity; null: the identity is not linked. */
export async function personOf(db: Db, channel: string, subject: string): Promise<PersonRow | null> {
  const row = await db
    .selectFrom('identities')
    .innerJoin('people', 'people.id', 'identities.personId')
    .where('identities.channel', '=', channel)
    .where('identities.subject', '=', subject)
    .selectAll('people')
    .executeTakeFirst();
  return row ?? null;
}

/** An identity belongs to one person; the newest link counts. */
export async function saveIdentity(db: Trx, identity: IdentityRow): Promise<void> {
  const written = columnsOf('identities', identity);
  const { personId, linkedAt } = written;
  await send(
    db,
    db
      .insertInto('identities')
      .values(written)
      .onConflict((conflict) => conflict.columns(['channel', 'subject']).doUpdateSet({ personId, linkedAt })),
  );
}

/** Lists identities, oldest links first. */
export async function listIdentities(db: Db): Promise<readonly IdentityRow[]> {
  return db.selectFrom('identities').selectAll().orderBy('linkedAt').orderBy('subject').execute();
}

/** Adds a place, or says anew whose it is. */
export async function savePlace(db: Trx, { formerAddress: _former, ...place }: PlaceRow): Promise<void> {
  const { channel, address, personId, projectId } = place;
  await send(
    db,
    db
      .insertInto('places')
      .values(columnsOf('places', place))
      .onConflict((conflict) => conflict.columns(['channel', 'address']).doUpdateSet({ personId, projectId })),
  );
  // Retries what failed for good: the bot was let in again.
  await send(
    db,
    db
      .updateTable('deliveries')
      .set({ isFinal: false, notBefore: null, failures: 0 })
      .where('channel', '=', channel)
      .where('address', '=', address)
      .where(sql<boolean>`is_final`),
  );
}

/** Deletes a place and what is due there. @returns whether there was one. */
export async function deletePlace(db: Trx, { channel, address }: PlaceKey): Promise<boolean> {
  await send(db, db.deleteFrom('deliveries').where('channel', '=', channel).where('address', '=', address));
  const { numDeletedRows } = await db
    .deleteFrom('places')
    .where('channel', '=', channel)
    .where('address', '=', address)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
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
