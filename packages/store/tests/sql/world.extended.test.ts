// Tests that the Postgres of a simulation is a store like any other, fails as told, and is seen by the simulation.
import { describe, expect, test } from 'vitest';
import { command, seeded } from '../../src/testing/contract/seeds.ts';
import { storeContract } from '../../src/testing/contract/contract.ts';
import { failureContract } from '../../src/testing/contract/failures.ts';
import { isolationContract } from '../../src/testing/contract/isolation.ts';
import { SqlWorld } from '../../src/testing/sql/world.ts';
import type { SqlWorldServer } from '../../src/testing/sql/world.ts';
import { testServer } from '@drover/embedded-postgres/testing';

const common = { sleep: () => Promise.resolve(), random: () => 0 };

/** The server of the test run, which no test stops. */
async function server(): Promise<SqlWorldServer> {
  const url = await testServer();
  return { url, isUp: true, stop: () => Promise.resolve(), resume: () => Promise.resolve() };
}

async function openWorld(): Promise<SqlWorld> {
  return SqlWorld.open(await server(), () => 5);
}

const opened = async () => {
  const world = await openWorld();
  return { store: world.open(common), [Symbol.asyncDispose]: () => world[Symbol.asyncDispose]() };
};

describe('the store contract', () => {
  storeContract(opened);
  isolationContract(opened);
});

describe('failures', () => {
  failureContract(async () => {
    const world = await openWorld();
    return {
      client: (fault = () => null) => world.open({ ...common, fault }),
      [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
    };
  });
});

test('given a client that writes, when everything has come to rest, then what is committed is seen, and a row that did not change is the same', async () => {
  await using world = await openWorld();
  const store = world.open(common);
  let commits = 0;
  world.database.onCommitted = () => void (commits += 1);

  const row = await seeded(store);
  await world.rest();
  const before = world.database.workers.get(row.id);
  await store.transaction((tx) => tx.insertCommands([command(row, 1)], 1));
  await store.transaction((tx) => tx.setDeadlines(row.id, { check: 100 }));
  await world.rest();

  expect(commits).toBe(2);
  expect(before).toEqual(row);
  expect(world.database.workers.get(row.id)).toBe(before);
  expect([...world.database.outbox.values()]).toMatchObject([{ machineId: row.machineId, state: 'pending' }]);
  expect(world.database.dueWork.get(`worker-deadline ${row.id}:check`)).toMatchObject({ dueAt: 100 });
  expect(await store.readClock()).toBe(5);
});

test('given a transaction that sleeps with a lock, when others wait for it, then that is rest, and time may go on', async () => {
  await using world = await openWorld();
  const row = await seeded(world.open(common));
  const { promise: asleep, resolve: wake } = Promise.withResolvers<void>();
  const sleeper = world.open(common).transaction(async (tx) => {
    await tx.lockWorker(row.id);
    await asleep;
  });
  await world.rest();
  let isDone = false;
  const waiter = world
    .open(common)
    .transaction((tx) => tx.lockWorker(row.id))
    .then(() => (isDone = true));

  await world.rest();
  const wasDone = isDone;
  wake();
  await Promise.all([sleeper, waiter]);

  expect(wasDone).toBe(false);
});
