// Reads and writes machines: their hellos, their proofs of identity, and the facts about them.
import { sql } from 'kysely';
import type { Checkout, Cordon, Machine, MachineHello, MachineTerms } from '../../port/machines.ts';
import { compiledOnce } from '../../connection/compiled.ts';
import { send } from '../../connection/pipeline.ts';
import { instant } from '../../connection/values.ts';
import { columnsOf, columnsWithout } from '../../tables/columns.ts';
import type { Db, Trx } from '../db.ts';

const CHECKOUTS = sql<Machine['checkouts']>`coalesce((select jsonb_object_agg(project_id, jsonb_build_object(
  'root', root, 'state', state, 'error', error, 'at', (extract(epoch from updated_at) * 1000)::bigint))
  from checkouts where machine_id = machines.id), '{}'::jsonb)`.as('checkouts');

/** Columns that a machine is known by; the digest of its access token is nobody's business. */
const READ = [
  ...columnsWithout('machines', 'sessionEpoch', 'accessTokenSha256', 'createdAt'),
  'sessionEpoch as epoch',
  CHECKOUTS,
] as const;

/** The seed of the fleet's private key: the one that is stored, else `fresh`, which is stored by the first that asks. */
export async function fleetSeed(db: Db, fresh: string, now: number): Promise<string> {
  await send(
    db,
    db
      .insertInto('fleetIdentity')
      .values(columnsOf('fleetIdentity', { seed: fresh, createdAt: now }))
      .onConflict((conflict) => conflict.doNothing()),
  );
  return (await db.selectFrom('fleetIdentity').select('seed').executeTakeFirstOrThrow()).seed;
}

/** A challenge is made for an epoch, which its hello raises in the same statement: of two hellos with one challenge one wins. */
export async function hello(db: Db, hello: MachineHello): Promise<Machine | null> {
  const { publicKey, dialledUrl, agentEpoch, version, facts, accessTokenSha256, accessTokenExpiresAt } = hello;
  const sameBuffer = sql<boolean>`agent_epoch is not distinct from ${agentEpoch}::uuid`;
  const row = await db
    .updateTable('machines')
    .set({
      ...columnsOf('machines', { publicKey, dialledUrl, agentEpoch, version, facts, places: hello.places ?? null }),
      ...columnsOf('machines', { accessTokenSha256, accessTokenExpiresAt, lastSeenAt: hello.now }),
      ...(hello.rotated && { rotateSince: null }),
      sessionEpoch: sql<number>`session_epoch + 1`,
      storedThrough: sql<number>`case when ${sameBuffer} then stored_through else 0 end`,
    })
    .where('id', '=', hello.machineId)
    .where('sessionEpoch', '=', hello.epoch)
    .where('revokedAt', 'is', null)
    .returning(READ)
    .executeTakeFirst();
  return row ?? null;
}

/** The machine with this access token; null when there is none or it has expired. */
export async function machineByToken(db: Db, sha256: string, now: number): Promise<Machine | null> {
  const row = await db
    .selectFrom('machines')
    .select(READ)
    .where('accessTokenSha256', '=', sha256)
    .where('accessTokenExpiresAt', '>', instant(now))
    .executeTakeFirst();
  return row ?? null;
}

/** @returns null for an unknown machine. */
export async function readMachine(db: Db, id: string): Promise<Machine | null> {
  const { rows } = await db.executeQuery(readOne(db, { id }));
  return rows[0] ?? null;
}

const readOne = compiledOnce((db: Db, { id }: { readonly id: string }) =>
  db.selectFrom('machines').select(READ).where('id', '=', id),
);

/** Lists all machines by name, without gateways. */
export async function listMachines(db: Db): Promise<readonly Machine[]> {
  return db.selectFrom('machines').select(READ).where('isGateway', '=', false).orderBy('name').execute();
}

/** Lists all gateways by name. */
export async function listGateways(db: Db): Promise<readonly Machine[]> {
  return db.selectFrom('machines').select(READ).where('isGateway', '=', true).orderBy('name').execute();
}

/** Counts the machines, revoked ones too. */
export async function countMachines(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('machines')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** Notes where a project lies on a machine, and replaces what was known. */
export async function saveCheckout(
  db: Trx,
  of: { readonly machineId: string; readonly projectId: string },
  { at, ...checkout }: Checkout,
): Promise<void> {
  const known = columnsOf('checkouts', { ...checkout, updatedAt: at });
  await send(
    db,
    db
      .insertInto('checkouts')
      .values({ ...of, ...known })
      .onConflict((conflict) => conflict.columns(['machineId', 'projectId']).doUpdateSet(known)),
  );
}

/**
 * Ends the access of a machine and of its workers, until it joins again by a younger invitation.
 *
 * @returns false for an unknown machine.
 */
export async function revokeMachine(db: Trx, id: string, now: number): Promise<boolean> {
  await send(
    db,
    db
      .deleteFrom('apiTokens')
      .where('workerId', 'in', (where) => where.selectFrom('workers').select('id').where('machineId', '=', id)),
  );
  const { numUpdatedRows } = await db
    .updateTable('machines')
    .set({ ...NO_TOKEN, revokedAt: sql<number>`coalesce(revoked_at, ${instant(now)})` })
    .where('id', '=', id)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** The machine must say hello, and make a new key then. @returns false for an unknown or revoked one. */
export async function rotateMachine(db: Trx, id: string, now: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('machines')
    .set({ ...NO_TOKEN, ...columnsOf('machines', { rotateSince: now }) })
    .where('id', '=', id)
    .where('revokedAt', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Stops new work for a machine; null: allows it again. @returns false for an unknown machine. */
export async function saveCordon(db: Trx, id: string, cordon: Cordon | null): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('machines')
    .set(columnsOf('machines', { cordon }))
    .where('id', '=', id)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Replaces the terms of a machine. @returns false for an unknown machine. */
export async function saveTerms(db: Trx, id: string, { labels, capacity, address }: MachineTerms): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('machines')
    .set(columnsOf('machines', { labels, capacity, address }))
    .where('id', '=', id)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

const NO_TOKEN = { accessTokenSha256: null, accessTokenExpiresAt: null };

/** Removes a machine with its commands; its observations stay until they are pruned. @returns false when it has workers. */
export async function removeMachine(db: Trx, id: string): Promise<boolean> {
  const workers = await db.selectFrom('workers').select('id').where('machineId', '=', id).limit(1).execute();
  if (workers.length > 0) return false;
  await send(db, db.deleteFrom('commands').where('machineId', '=', id));
  await send(db, db.deleteFrom('machines').where('id', '=', id));
  return true;
}
