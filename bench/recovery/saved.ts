// What does observation → decision → saved cost on Postgres, beside the bare SQL of the very same transactions?
import type { EmbeddedPostgres } from '@drover/store';
import { Client } from 'pg';
import type { Machine } from '@drover/store';
import { takeObservation } from '../../apps/coordinator/src/use-cases/machines/observe.ts';
import { SeededRandom } from '../../packages/testkit/src/index.ts';
import { databaseUrl, makeFleet, withClient, type Fleet, type Seated } from './fleet.ts';
import { nextObservation } from './observations.ts';
import { openReplica, type Replica, type Sent } from './use-case.ts';

/** One transaction, both ways. Milliseconds. */
export interface Pair {
  readonly ours: number;
  readonly bare: number;
  readonly statements: number;
  readonly kind: string;
}

/**
 * Takes observations of random workers one after the other. Each one's statements are then sent again, by plain `pg`, to
 * a copy of the database, so that both do the same work in turns.
 */
export async function measureSaved(
  postgres: EmbeddedPostgres,
  { workers, observations, warmUp, seed }: { workers: number; observations: number; warmUp: number; seed: number },
): Promise<readonly Pair[]> {
  const [name, copy] = [`saved_${workers}_${seed}`, `saved_${workers}_${seed}_copy`];
  const fleet = await makeFleet(postgres.superuserConnectionString, name, { count: workers, now: Date.now() });
  await withClient(postgres.superuserConnectionString, (client) =>
    client.query(`create database ${copy} template ${name}`),
  );
  const url = databaseUrl(postgres.superuserConnectionString, name);
  return withClient(databaseUrl(postgres.superuserConnectionString, copy), async (bare) => {
    let heard: Seated | undefined;
    await using replica = openReplica(url, ({ worker }) => {
      if (heard !== undefined) heard.worker = worker;
    });
    const machine = await replica.ctx.store.readMachine(fleet.machineId);
    if (machine === null) throw new Error('The machine is not there');
    const random = new SeededRandom(seed);
    const pairs: Pair[] = [];
    for (let seq = 1; pairs.length < warmUp + observations; seq += 1) {
      const seated = fleet.workers[random.int(0, fleet.workers.length - 1)];
      if (seated === undefined) throw new Error('There is no worker');
      heard = seated;
      const pair = await takeOne({ replica, machine, fleet, bare }, { seated, seq, random });
      if (pair !== null) pairs.push(pair);
    }
    return pairs.slice(warmUp);
  });
}

interface Parts {
  readonly replica: Replica;
  readonly machine: Machine;
  readonly fleet: Fleet;
  readonly bare: Client;
}

async function takeOne(
  { replica, machine, fleet, bare }: Parts,
  { seated, seq, random }: { seated: Seated; seq: number; random: SeededRandom },
): Promise<Pair | null> {
  const now = Date.now();
  const commandId = await commandInFlight(bare, seated);
  const body = nextObservation(seated, { now, chance: random.next(), pick: random.next(), commandId });
  if (body === null) return null;
  const observation = { seq, at: now, body };
  replica.sent.length = 0;
  const start = performance.now();
  await takeObservation(replica.ctx, machine, { agentEpoch: fleet.agentEpoch, observation });
  const ours = performance.now() - start;
  const sent = [...replica.sent];
  const bareStart = performance.now();
  for (const one of sent) await send(bare, one);
  return { ours, bare: performance.now() - bareStart, statements: sent.length, kind: body.kind };
}

/** As it was given to `pg` the first time. */
async function send(client: Client, given: Sent): Promise<void> {
  await (client.query.bind(client) as (...all: readonly unknown[]) => unknown)(...given);
}

async function commandInFlight(client: Client, { id, worker }: Seated): Promise<string> {
  const { rows } = await client.query<{ id: string }>('select id from commands where worker_id = $1 and seq = $2', [
    id,
    worker.command.inFlight?.seq ?? 0,
  ]);
  return rows[0]?.id ?? id;
}
