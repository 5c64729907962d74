// Reads and writes machines: their hellos, their proofs of identity, and the facts about them.
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Checkout, Cordon, Machine, MachineHello, MachineTerms } from '../../port/machines.ts';
import { compiledOnce } from '../../connection/compiled.ts';
import { send } from '../../connection/pipeline.ts';
import { instant } from '../../connection/values.ts';
import { columnsWithout } from '../../tables/columns.ts';
import type { Db, Trx } from '../db.ts';
import { change, find, insertion, KEEP, one, removal, setting, writes } from '../steps/rows.ts';

/** Columns that a machine is known by; the digest of its access token is nobody's business. */
const READ = sql`${sql.join(columnsWithout('machines', 'sessionEpoch', 'accessTokenSha256', 'createdAt').map((name) => sql.ref(name)))},
  session_epoch as epoch, coalesce((select jsonb_object_agg(project_id, jsonb_build_object(
    'root', root, 'state', state, 'error', error, 'at', (extract(epoch from updated_at) * 1000)::bigint))
  from checkouts where machine_id = machines.id), '{}'::jsonb) as checkouts`;

/** The seed of the fleet's private key: the one that is stored, else `fresh`, which is stored by the first that asks. */
export async function fleetSeed(db: Db, fresh: string, now: number): Promise<string> {
  await send(db, insertion('fleetIdentity', [{ seed: fresh, createdAt: now }], KEEP));
  return (await db.selectFrom('fleetIdentity').select('seed').executeTakeFirstOrThrow()).seed;
}

/** A challenge is made for an epoch, which its hello raises in the same statement: of two hellos with one challenge one wins. */
export async function hello(db: Db, hello: MachineHello): Promise<Machine | null> {
  const { machineId: id, epoch, rotated, now, places, ...told } = hello;
  const changes = change(
    'machines',
    { id, sessionEpoch: epoch, revokedAt: null },
    {
      ...told,
      places: places ?? null,
      lastSeenAt: now,
      rotateSince: rotated ? null : undefined,
      sessionEpoch: sql<number>`session_epoch + 1`,
      storedThrough: sql<number>`case when agent_epoch is not distinct from ${told.agentEpoch}::uuid then stored_through else 0 end`,
    },
  );
  const { rows } = await sql<Machine>`${changes} returning ${READ}`.execute(db);
  return rows[0] ?? null;
}

/** The machine with this access token; null when there is none or it has expired. */
export async function machineByToken(db: Db, sha256: string, now: number): Promise<Machine | null> {
  const isGood = sql`access_token_sha256 = ${sha256} and access_token_expires_at > ${instant(now)}`;
  return (await listed(db, isGood))[0] ?? null;
}

/** @returns null for an unknown machine. */
export async function readMachine(db: Db, id: string): Promise<Machine | null> {
  const { rows } = await db.executeQuery(readOne(db, { id }));
  return rows[0] ?? null;
}

const readOne = compiledOnce(
  (_: Db, { id }: { readonly id: string }) => sql<Machine>`select ${READ} from machines where id = ${id}`,
);

/** Lists all machines by name, without gateways. */
export async function listMachines(db: Db): Promise<readonly Machine[]> {
  return listed(db, sql`not is_gateway`);
}

/** Lists all gateways by name. */
export async function listGateways(db: Db): Promise<readonly Machine[]> {
  return listed(db, sql`is_gateway`);
}

async function listed(db: Db, which: RawBuilder<unknown>): Promise<readonly Machine[]> {
  return (await sql<Machine>`select ${READ} from machines where ${which} order by name`.execute(db)).rows;
}

/** Counts the machines, revoked ones too. */
export async function countMachines(db: Db): Promise<number> {
  return (await one(db, sql<{ count: number }>`select count(*) as count from machines`)).count;
}

/** Notes where a project lies on a machine, and replaces what was known. */
export async function saveCheckout(
  db: Trx,
  of: { readonly machineId: string; readonly projectId: string },
  { at, ...checkout }: Checkout,
): Promise<void> {
  const known = { ...checkout, updatedAt: at };
  const again = sql`on conflict (machine_id, project_id) do update set ${setting('checkouts', known)}`;
  await send(db, insertion('checkouts', [{ ...of, ...known }], again));
}

/**
 * Ends the access of a machine and of its workers, until it joins again by a younger invitation.
 *
 * @returns false for an unknown machine.
 */
export async function revokeMachine(db: Trx, id: string, now: number): Promise<boolean> {
  await send(db, sql`delete from api_tokens where worker_id in (select id from workers where machine_id = ${id})`);
  const revokedAt = sql<number>`coalesce(revoked_at, ${instant(now)})`;
  return writes(db, change('machines', { id }, { ...NO_TOKEN, revokedAt }));
}

/** The machine must say hello, and make a new key then. @returns false for an unknown or revoked one. */
export async function rotateMachine(db: Trx, id: string, now: number): Promise<boolean> {
  return writes(db, change('machines', { id, revokedAt: null }, { ...NO_TOKEN, rotateSince: now }));
}

/** Stops new work for a machine; null: allows it again. @returns false for an unknown machine. */
export async function saveCordon(db: Trx, id: string, cordon: Cordon | null): Promise<boolean> {
  return writes(db, change('machines', { id }, { cordon }));
}

/** Replaces the terms of a machine. @returns false for an unknown machine. */
export async function saveTerms(db: Trx, id: string, { labels, capacity, address }: MachineTerms): Promise<boolean> {
  return writes(db, change('machines', { id }, { labels, capacity, address }));
}

const NO_TOKEN = { accessTokenSha256: null, accessTokenExpiresAt: null };

/** Removes a machine with its commands; its observations stay until they are pruned. @returns false when it has workers. */
export async function removeMachine(db: Trx, id: string): Promise<boolean> {
  if ((await find(db, 'workers', { machineId: id }, { columns: ['id'], end: sql`limit 1` })) !== null) return false;
  await send(db, removal('commands', { machineId: id }));
  await send(db, removal('machines', { id }));
  return true;
}
