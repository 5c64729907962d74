// Measures what observation → decision → saved costs on Postgres, beside the bare SQL of the very same transactions.
import type { EmbeddedPostgres } from '@drover/embedded-postgres';
import { Client } from 'pg';
import type { Machine } from '@drover/store';
import { batches } from '../../apps/coordinator/src/loop/batches.ts';
import { takeObservations } from '../../apps/coordinator/src/use-cases/machines/observe.ts';
import { SeededRandom } from '../../packages/testkit/src/index.ts';
import { databaseUrl, withClient } from '../src/client.ts';
import { makeFleet, type Fleet, type PlacedWorker } from './fleet.ts';
import { nextObservation } from './observations.ts';
import { openReplica, type Replica, type Sent } from './use-case.ts';

/** Transaction in both ways. Milliseconds. */
export interface Pair {
  readonly ours: number;
  readonly bare: number;
  readonly statements: number;
  readonly kind: string;
}

/** Plan of the measurement; `together`: so many observations in one message, each of another worker. */
export interface SavedPlan {
  readonly workers: number;
  readonly observations: number;
  readonly warmUp: number;
  readonly seed: number;
  readonly together: number;
}

/**
 * Takes observations of random workers one after the other. Each one's statements are then sent again, by plain `pg`, to
 * a copy of the database, so that both do the same work in turns.
 */
export async function measureSaved(
  postgres: EmbeddedPostgres,
  { workers, observations, warmUp, seed, together }: SavedPlan,
): Promise<readonly Pair[]> {
  const name = `saved_${workers}_${seed}_${together}`;
  const copy = `${name}_copy`;
  const fleet = await makeFleet(postgres.superuserConnectionString, name, { count: workers, now: Date.now() });
  await withClient(postgres.superuserConnectionString, (client) =>
    client.query(`create database ${copy} template ${name}`),
  );
  const url = databaseUrl(postgres.superuserConnectionString, name);
  return withClient(databaseUrl(postgres.superuserConnectionString, copy), async (bare) => {
    const heard: PlacedWorker[] = [];
    await using replica = openReplica(url, ({ worker }) => {
      const [next] = heard.splice(0, 1);
      if (next !== undefined) next.worker = worker;
    });
    const machine = await replica.ctx.store.readMachine(fleet.machineId);
    if (machine === null) throw new Error('The machine is not there');
    const random = new SeededRandom(seed);
    const pairs: Pair[] = [];
    for (let seq = 1; pairs.length < (warmUp + observations) / together; seq += together) {
      const some = new Set<PlacedWorker>();
      while (some.size < together) some.add(random.pick(fleet.workers));
      const pair = await takeSome({ replica, machine, fleet, bare, heard }, { some: [...some], seq, random });
      if (pair !== null) pairs.push(pair);
    }
    return pairs.slice(Math.floor(warmUp / together));
  });
}

interface Parts {
  readonly replica: Replica;
  readonly machine: Machine;
  readonly fleet: Fleet;
  readonly bare: Client;
  /** Workers whose decisions come next. */
  readonly heard: PlacedWorker[];
}

async function takeSome(
  { replica, machine, fleet, bare, heard }: Parts,
  { some, seq, random }: { some: readonly PlacedWorker[]; seq: number; random: SeededRandom },
): Promise<Pair | null> {
  const now = Date.now();
  const bodies = [];
  for (const placed of some) {
    const commandId = await commandInFlight(bare, placed);
    bodies.push(nextObservation(placed, { now, chance: random.next(), pick: random.next(), commandId }));
  }
  const observations = bodies.flatMap((body, index) => (body === null ? [] : [{ seq: seq + index, at: now, body }]));
  if (observations.length < some.length) return null;
  replica.sent.length = 0;
  const start = performance.now();
  for (const batch of batches(observations)) {
    heard.splice(
      0,
      heard.length,
      ...batch.flatMap(({ body }) => some.find(({ id }) => 'workerId' in body && id === body.workerId) ?? []),
    );
    await takeObservations(replica.ctx, machine, { agentEpoch: fleet.agentEpoch, observations: batch });
  }
  const ours = performance.now() - start;
  const sent = [...replica.sent];
  const bareStart = performance.now();
  for (const one of sent) await send(bare, one);
  const kind = observations.length === 1 ? (observations[0]?.body.kind ?? '') : 'several';
  return { ours, bare: performance.now() - bareStart, statements: sent.length, kind };
}

/** Sends a query as it was given to `pg` the first time. */
async function send(client: Client, given: Sent): Promise<void> {
  await (client.query.bind(client) as (...all: readonly unknown[]) => unknown)(...given);
}

async function commandInFlight(client: Client, { id, worker }: PlacedWorker): Promise<string> {
  const { rows } = await client.query<{ id: string }>('select id from commands where worker_id = $1 and seq = $2', [
    id,
    worker.command.inFlight?.seq ?? 0,
  ]);
  return rows[0]?.id ?? id;
}
