// Machines: how they say hello and prove who they are, and what is noted of them.
import { sql } from 'kysely';
import type { Kysely, Selectable } from 'kysely';
import type { Checkout, Cordon, Machine, MachineHello, MachineTerms } from '../../port/machines.ts';
import type { Database } from '../../tables/database.ts';
import type { MachineTable } from '../../tables/machines.ts';
import { send } from '../../connection/pipeline.ts';
import { instant, json } from '../../connection/values.ts';
import type { Db } from '../db.ts';

/** A machine's row with its checkouts, by their projects. */
type Row = Selectable<MachineTable> & { readonly checkouts: unknown };

const CHECKOUTS = sql`coalesce((select jsonb_object_agg(project_id, jsonb_build_object(
  'root', root, 'state', state, 'error', error, 'at', (extract(epoch from updated_at) * 1000)::bigint))
  from checkouts where machine_id = machines.id), '{}'::jsonb)`.as('checkouts');

function toMachine(row: Row): Machine {
  return {
    id: row.id,
    name: row.name,
    publicKey: row.public_key,
    facts: row.facts as Machine['facts'],
    places: row.places as Machine['places'],
    checkouts: row.checkouts as Machine['checkouts'],
    epoch: row.session_epoch,
    agentEpoch: row.agent_epoch,
    storedThrough: row.stored_through,
    version: row.version,
    lastSeenAt: row.last_seen_at,
    dialledUrl: row.dialled_url,
    accessTokenExpiresAt: row.access_token_expires_at,
    revokedAt: row.revoked_at,
    rotateSince: row.rotate_since,
    cordon: row.cordon as Machine['cordon'],
    labels: row.labels as Machine['labels'],
    capacity: row.capacity,
    address: row.address,
    condition: row.condition as Machine['condition'],
    isGateway: row.is_gateway,
    ssh: row.ssh as Machine['ssh'],
  };
}

/** The first that asks stores its own; every one that asks gets what is stored. */
export async function fleetSeed(db: Kysely<Database>, fresh: string, now: number): Promise<string> {
  await send(
    db,
    db
      .insertInto('fleet_identity')
      .values({ seed: fresh, created_at: instant(now) })
      .onConflict((conflict) => conflict.doNothing()),
  );
  return (await db.selectFrom('fleet_identity').select('seed').executeTakeFirstOrThrow()).seed;
}

/** A challenge is made for an epoch, which its hello raises in the same statement: of two hellos with one challenge one wins. */
export async function hello(db: Db, hello: MachineHello): Promise<Machine | null> {
  const sameBuffer = sql<boolean>`agent_epoch is not distinct from ${hello.agentEpoch}::uuid`;
  const row = await db
    .updateTable('machines')
    .set({
      public_key: hello.publicKey,
      dialled_url: hello.dialledUrl,
      ...(hello.rotated && { rotate_since: null }),
      session_epoch: sql<number>`session_epoch + 1`,
      stored_through: sql<number>`case when ${sameBuffer} then stored_through else 0 end`,
      agent_epoch: hello.agentEpoch,
      version: hello.version,
      facts: json<unknown>(hello.facts),
      places: json<unknown>(hello.places ?? null),
      access_token_sha256: hello.accessTokenSha256,
      access_token_expires_at: instant(hello.accessTokenExpiresAt),
      last_seen_at: instant(hello.now),
    })
    .where('id', '=', hello.machineId)
    .where('session_epoch', '=', hello.epoch)
    .where('revoked_at', 'is', null)
    .returningAll()
    .returning(CHECKOUTS)
    .executeTakeFirst();
  return row === undefined ? null : toMachine(row);
}

/** The machine with this access token; null when there is none or it has expired. */
export async function machineByToken(db: Db, sha256: string, now: number): Promise<Machine | null> {
  const row = await db
    .selectFrom('machines')
    .selectAll()
    .select(CHECKOUTS)
    .where('access_token_sha256', '=', sha256)
    .where('access_token_expires_at', '>', instant(now))
    .executeTakeFirst();
  return row === undefined ? null : toMachine(row);
}

/** @returns null for an unknown machine. */
export async function readMachine(db: Db, id: string): Promise<Machine | null> {
  const row = await db.selectFrom('machines').selectAll().select(CHECKOUTS).where('id', '=', id).executeTakeFirst();
  return row === undefined ? null : toMachine(row);
}

/** All machines by name; gateways are none. */
export function listMachines(db: Db): Promise<readonly Machine[]> {
  return listOf(db, false);
}

/** All gateways by name. */
export function listGateways(db: Db): Promise<readonly Machine[]> {
  return listOf(db, true);
}

async function listOf(db: Db, areGateways: boolean): Promise<readonly Machine[]> {
  const rows = await db
    .selectFrom('machines')
    .selectAll()
    .select(CHECKOUTS)
    .where('is_gateway', '=', areGateways)
    .orderBy('name')
    .execute();
  return rows.map(toMachine);
}

/** How many machines there are, revoked ones too. */
export async function countMachines(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('machines')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** In the place of what was known of it. */
export async function saveCheckout(
  db: Db,
  { machineId, projectId }: { readonly machineId: string; readonly projectId: string },
  { root, state, error, at }: Checkout,
): Promise<void> {
  const known = { root, state, error: json<unknown>(error), updated_at: instant(at) };
  await send(
    db,
    db
      .insertInto('checkouts')
      .values({ machine_id: machineId, project_id: projectId, ...known })
      .onConflict((conflict) => conflict.columns(['machine_id', 'project_id']).doUpdateSet(known)),
  );
}

/** The machine has no access token from now on, and gets none; its workers have none either. @returns false for an unknown machine. */
export async function revokeMachine(db: Db, id: string, now: number): Promise<boolean> {
  await send(
    db,
    db
      .deleteFrom('api_tokens')
      .where('worker_id', 'in', (where) => where.selectFrom('workers').select('id').where('machine_id', '=', id)),
  );
  const { numUpdatedRows } = await db
    .updateTable('machines')
    .set({ ...NO_TOKEN, revoked_at: sql<number>`coalesce(revoked_at, ${instant(now)})` })
    .where('id', '=', id)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** The machine must say hello, and make a new key then. @returns false for an unknown or revoked one. */
export async function rotateMachine(db: Db, id: string, now: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('machines')
    .set({ ...NO_TOKEN, rotate_since: instant(now) })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** In the place of what was there. @returns false for an unknown machine. */
export async function saveCordon(db: Db, id: string, cordon: Cordon | null): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('machines')
    .set({ cordon: json<unknown>(cordon) })
    .where('id', '=', id)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** In the place of what was there. @returns false for an unknown machine. */
export async function saveTerms(db: Db, id: string, { labels, capacity, address }: MachineTerms): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('machines')
    .set({ labels: json<unknown>(labels), capacity, address })
    .where('id', '=', id)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

const NO_TOKEN = { access_token_sha256: null, access_token_expires_at: null };

/** Removes a machine that has no workers. @returns false when it has. */
export async function removeMachine(db: Db, id: string): Promise<boolean> {
  const workers = await db.selectFrom('workers').select('id').where('machine_id', '=', id).limit(1).execute();
  if (workers.length > 0) return false;
  await send(db, db.deleteFrom('commands').where('machine_id', '=', id));
  await send(db, db.deleteFrom('machines').where('id', '=', id));
  return true;
}
