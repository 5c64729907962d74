// Does the store in memory do what every store must, and does it fail as it is told?
import { describe, expect, test } from 'vitest';
import { storeContract } from '../testing/contract.ts';
import { recoveryContract } from '../testing/recovery-contract.ts';
import { MemoryDatabase } from './database.ts';
import type { Fault, FaultPoint } from './session.ts';
import { createMemoryStore } from './store.ts';
import type { StoreClient } from './store.ts';

const opened = () => {
  const store = open(new MemoryDatabase());
  return Promise.resolve({ store, [Symbol.asyncDispose]: () => Promise.resolve() });
};

describe('the store contract', () => {
  storeContract(opened);
  recoveryContract(opened);
});

describe('failures', () => {
  test('given a conflict in a transaction, when it is repeated, then it is done once', async () => {
    const database = new MemoryDatabase();
    const store = open(database, once('commit', { kind: 'conflict' }));

    await store.transaction((tx) => tx.schedule([WORK]));

    expect(database.dueWork.size).toBe(1);
  });

  test('given a connection lost after the commit, when the unit is repeated, then it runs twice and its work stands', async () => {
    const database = new MemoryDatabase();
    const store = open(database, once('committed', { kind: 'lost-connection' }));
    let runs = 0;

    await store.transaction((tx) => {
      runs += 1;
      return tx.schedule([WORK]);
    });

    expect(runs).toBe(2);
    expect(database.dueWork.size).toBe(1);
  });

  test('given a client that dies inside a transaction, when another comes, then it finds nothing of the first', async () => {
    const database = new MemoryDatabase();
    const dying: StoreClient = open(database, ({ at }) => {
      if (at === 'commit') dying.close();
      return null;
    });
    let settled = false;
    void dying.transaction((tx) => tx.schedule([WORK])).finally(() => (settled = true));

    const found = await open(database).nextDueAt();

    expect(found).toBeNull();
    expect(settled).toBe(false);
  });

  test('given a failure that does not pass, when the unit throws, then its changes are undone and the next one runs', async () => {
    const database = new MemoryDatabase();
    const store = open(database);

    const failing = store.transaction(async (tx) => {
      await tx.schedule([WORK]);
      throw new Error('no');
    });

    await expect(failing).rejects.toThrow('no');
    expect(await store.nextDueAt()).toBeNull();
  });
});

const WORK = { kind: 'patrol', key: 'main', dueAt: 1, payload: {} } as const;

function open(database: MemoryDatabase, fault: (point: FaultPoint) => Fault | null = () => null): StoreClient {
  return createMemoryStore({ database, sleep: () => Promise.resolve(), random: () => 0, fault });
}

function once(at: FaultPoint['at'], fault: Fault): (point: FaultPoint) => Fault | null {
  let isDone = false;
  return (point) => {
    if (isDone || point.at !== at) return null;
    isDone = true;
    return fault;
  };
}
