// How do machines join, say hello and prove who they are?
import { sql } from 'kysely';
import type { Kysely, Selectable, Transaction } from 'kysely';
import type { Machine, MachineHello, NewMachine } from '../port.ts';
import type { Database, MachineTable } from '../schema.ts';
import { instant, json } from '../values.ts';

type Db = Kysely<Database> | Transaction<Database>;

function toMachine(row: Selectable<MachineTable>): Machine {
  const { nonce, nonce_expires_at: nonceExpiresAt } = row;
  return {
    id: row.id,
    name: row.name,
    publicKey: row.public_key,
    facts: row.facts as Machine['facts'],
    epoch: row.session_epoch,
    agentEpoch: row.agent_epoch,
    storedThrough: row.stored_through,
    version: row.version,
    lastSeenAt: row.last_seen_at,
    nonce: nonce === null || nonceExpiresAt === null ? null : { value: nonce, expiresAt: nonceExpiresAt },
    accessTokenExpiresAt: row.access_token_expires_at,
  };
}

/** Adds a join token that is good until `expiresAt`, epoch milliseconds. */
export async function createJoinToken(db: Db, sha256: string, expiresAt: number): Promise<void> {
  await db
    .insertInto('join_tokens')
    .values({ token_sha256: sha256, expires_at: instant(expiresAt), used_at: null })
    .execute();
}

/** A machine whose answer was lost asks again with the same key, perhaps beside its first try, and gets the same id. */
export async function joinMachine(
  db: Kysely<Database>,
  join: NewMachine,
): Promise<{ kind: 'joined'; machineId: string } | { kind: 'bad-token' | 'name-taken' }> {
  return db.transaction().execute(async (trx) => {
    const known = await joinedWith(trx, join.publicKey);
    if (known !== null) return known;
    const token = await trx
      .updateTable('join_tokens')
      .set({ used_at: instant(join.now) })
      .where('token_sha256', '=', join.tokenSha256)
      .where('used_at', 'is', null)
      .where('expires_at', '>', instant(join.now))
      .executeTakeFirst();
    // The update waited for another try that used it: what that one committed is seen now.
    if (token.numUpdatedRows === 0n) return (await joinedWith(trx, join.publicKey)) ?? { kind: 'bad-token' };
    const added = await trx
      .insertInto('machines')
      .values({ ...EMPTY, id: join.id, name: join.name, public_key: join.publicKey, created_at: instant(join.now) })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .executeTakeFirst();
    if (added.numInsertedOrUpdatedRows === 0n) {
      await trx
        .updateTable('join_tokens')
        .set({ used_at: null })
        .where('token_sha256', '=', join.tokenSha256)
        .execute();
      return (await joinedWith(trx, join.publicKey)) ?? { kind: 'name-taken' };
    }
    return { kind: 'joined', machineId: join.id };
  });
}

async function joinedWith(db: Db, publicKey: string): Promise<{ kind: 'joined'; machineId: string } | null> {
  const known = await db.selectFrom('machines').select('id').where('public_key', '=', publicKey).executeTakeFirst();
  return known === undefined ? null : { kind: 'joined', machineId: known.id };
}

const EMPTY = {
  facts: json<unknown>(null),
  access_token_sha256: null,
  access_token_expires_at: null,
  nonce: null,
  nonce_expires_at: null,
  agent_epoch: null,
  version: null,
  last_seen_at: null,
};

/** Sets the nonce that the next hello must sign. @returns false for a machine that nobody knows. */
export async function setNonce(db: Db, id: string, nonce: { value: string; expiresAt: number }): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('machines')
    .set({ nonce: nonce.value, nonce_expires_at: instant(nonce.expiresAt) })
    .where('id', '=', id)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** The nonce is used up and the epoch raised in one statement, so that of two hellos with one nonce one wins. */
export async function hello(db: Db, hello: MachineHello): Promise<Machine | null> {
  const sameBuffer = sql<boolean>`agent_epoch is not distinct from ${hello.agentEpoch}::uuid`;
  const row = await db
    .updateTable('machines')
    .set({
      nonce: null,
      nonce_expires_at: null,
      session_epoch: sql<number>`session_epoch + 1`,
      stored_through: sql<number>`case when ${sameBuffer} then stored_through else 0 end`,
      agent_epoch: hello.agentEpoch,
      version: hello.version,
      facts: json<unknown>(hello.facts),
      access_token_sha256: hello.accessTokenSha256,
      access_token_expires_at: instant(hello.accessTokenExpiresAt),
      last_seen_at: instant(hello.now),
    })
    .where('id', '=', hello.machineId)
    .where('nonce', '=', hello.nonce)
    .where('nonce_expires_at', '>', instant(hello.now))
    .returningAll()
    .executeTakeFirst();
  return row === undefined ? null : toMachine(row);
}

/** Who holds this access token; null when nobody does or it has expired. */
export async function machineByToken(db: Db, sha256: string, now: number): Promise<Machine | null> {
  const row = await db
    .selectFrom('machines')
    .selectAll()
    .where('access_token_sha256', '=', sha256)
    .where('access_token_expires_at', '>', instant(now))
    .executeTakeFirst();
  return row === undefined ? null : toMachine(row);
}

/** @returns null for a machine that nobody knows. */
export async function readMachine(db: Db, id: string): Promise<Machine | null> {
  const row = await db.selectFrom('machines').selectAll().where('id', '=', id).executeTakeFirst();
  return row === undefined ? null : toMachine(row);
}

/** All machines by name. */
export async function listMachines(db: Db): Promise<readonly Machine[]> {
  return (await db.selectFrom('machines').selectAll().orderBy('name').execute()).map(toMachine);
}

/** The machine was heard of at this time, epoch milliseconds. */
export async function touchMachine(db: Db, id: string, now: number): Promise<void> {
  await db
    .updateTable('machines')
    .set({ last_seen_at: instant(now) })
    .where('id', '=', id)
    .execute();
}
