// Tests how a store behaves when its client fails as told. Runs for every store that simulations run on.
import { expect, test } from 'vitest';
import type { Fault, FaultPoint } from '../memory/engine/session.ts';
import type { StoreClient } from '../memory/store.ts';

/** Opens one database; each client of it fails as its `fault` says. Sleeps take no time. */
export type OpenFailing = () => Promise<
  { readonly client: (fault?: (point: FaultPoint) => Fault | null) => StoreClient } & AsyncDisposable
>;

const WORK = { kind: 'patrol', key: 'main', dueAt: 1, payload: {} } as const;

/** Declares the tests. */
export function failureContract(open: OpenFailing): void {
  test.each([
    ['a conflict', 'statement', { kind: 'conflict' }],
    ['a conflict', 'commit', { kind: 'conflict' }],
    ['a lost connection', 'statement', { kind: 'lost-connection' }],
    ['a lost connection', 'commit', { kind: 'lost-connection' }],
  ] as const)('given %s at a %s of a transaction, when it is repeated, then it is done once', async (_, at, fault) => {
    await using given = await open();
    let runs = 0;

    await given.client(once(at, fault)).transaction(async (tx) => {
      runs += 1;
      await tx.schedule([WORK]);
    });

    expect(runs).toBe(2);
    expect(await claimed(given.client())).toEqual([WORK]);
  });

  test('given a connection lost after the commit, when the unit is repeated, then it runs twice and its work is kept', async () => {
    await using given = await open();
    let runs = 0;

    await given.client(once('committed', { kind: 'lost-connection' })).transaction((tx) => {
      runs += 1;
      return tx.schedule([WORK]);
    });

    expect(runs).toBe(2);
    expect(await claimed(given.client())).toEqual([WORK]);
  });

  test('given a client that dies inside a transaction, when another comes, then it finds nothing of the first', async () => {
    await using given = await open();
    let settled = false;
    const { promise: died, resolve } = Promise.withResolvers<void>();
    const dying: StoreClient = given.client(({ at }) => {
      if (at !== 'commit') return null;
      dying.close();
      resolve();
      return null;
    });
    void dying.transaction((tx) => tx.schedule([WORK])).finally(() => (settled = true));
    await died;

    // A writer of the same row waits until the server has undone what the dead client began.
    const other = given.client();
    await other.transaction((tx) => tx.schedule([{ ...WORK, dueAt: 7 }]));

    expect(await other.nextDueAt(1)).toBe(7);
    expect(settled).toBe(false);
  });

  test('given a failure that does not pass, when the unit throws, then its changes are undone and the next one runs', async () => {
    await using given = await open();
    const store = given.client();

    const failing = store.transaction(async (tx) => {
      await tx.schedule([WORK]);
      throw new Error('no');
    });

    await expect(failing).rejects.toThrow('no');
    expect(await store.nextDueAt(1)).toBeNull();
  });
}

function claimed(store: StoreClient): ReturnType<StoreClient['claimDueWork']> {
  return store.claimDueWork(1, { limit: 10, leaseMs: 10 });
}

function once(at: FaultPoint['at'], fault: Fault): (point: FaultPoint) => Fault | null {
  let isDone = false;
  return (point) => {
    if (isDone || point.at !== at) return null;
    isDone = true;
    return fault;
  };
}
