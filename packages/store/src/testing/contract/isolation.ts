// Tests what two transactions that run side by side see of each other. These tests hold the store in memory to Postgres.
import { expect, test } from 'vitest';
import type { DueWork } from '../../port/due-work.ts';
import type { Store, StoreTransaction } from '../../port/store.ts';
import { command, id, noted, seeded } from './seeds.ts';
import type { OpenStore } from './open-store.ts';

const WORK: DueWork = { kind: 'patrol', key: 'main', dueAt: 100, payload: {} };
const CLAIM = { limit: 10, leaseMs: 10 };

/** Transaction that did something and stays open until it is told to commit, or to fail. */
interface Held {
  commit(): Promise<void>;
  fail(): Promise<void>;
}

async function hold(store: Store, work: (tx: StoreTransaction) => Promise<unknown>): Promise<Held> {
  const begun = Promise.withResolvers<void>();
  const end = Promise.withResolvers<void>();
  const over = store.transaction(async (tx) => {
    await work(tx);
    // The transaction does not wait for a write. A read behind it is answered only after it.
    await tx.listMachines();
    begun.resolve();
    await end.promise;
  });
  await Promise.race([begun.promise, over]);
  return {
    commit: async () => {
      end.resolve();
      await over;
    },
    fail: async () => {
      end.reject(new Error('no'));
      await expect(over).rejects.toThrow('no');
    },
  };
}

/** Declares the tests. */
export function isolationContract(open: OpenStore): void {
  test('given a change that is not committed, when others read, then they see what was before, and the one who made it what is new', async () => {
    await using given = await open();
    const { store } = given;
    const row = await seeded(store);
    let own = '';
    const held = await hold(store, async (tx) => {
      await tx.saveWorker({ ...row, state: noted(row.state, 'changed') }, 5);
      own = (await tx.listWorkers({}))[0]?.state.lifecycle.note ?? '';
    });

    const before = await store.readWorker(row.id);
    const listed = await store.transaction((tx) => tx.listWorkers({}));
    await held.commit();

    expect(own).toBe('changed');
    expect([before, listed[0]].map((one) => one?.state.lifecycle.note)).toEqual(['', '']);
    expect((await store.readWorker(row.id))?.state.lifecycle.note).toBe('changed');
  });

  test.each(['commit', 'fail'] as const)(
    'given a worker that is held, when another wants it, then it waits for the %s and sees what holds then',
    async (how) => {
      await using given = await open();
      const { store } = given;
      const row = await seeded(store);
      const held = await hold(store, async (tx) => {
        await tx.lockWorker(row.id);
        await tx.saveWorker({ ...row, state: noted(row.state, 'changed') }, 5);
      });
      const seen: string[] = [];
      const waiter = store.transaction(async (tx) => {
        const note = (await tx.lockWorker(row.id))?.state.lifecycle.note;
        seen.push(`note "${note}"`);
      });
      await store.ping();
      seen.push('the end');

      await held[how]();
      await waiter;

      expect(seen).toEqual(['the end', how === 'commit' ? 'note "changed"' : 'note ""']);
    },
  );

  test('given a machine whose first answer is late, when it joins again and again meanwhile, then each answer is the same', async () => {
    await using given = await open();
    const { store } = given;
    await store.createJoinToken({ sha256: 't', expiresAt: 1_000, now: 1 });
    const join = { name: 'm', publicKey: 'k', tokenSha256: 't', now: 1 };

    const answers = await Promise.all(Array.from({ length: 8 }, () => store.joinMachine({ ...join, id: id() })));

    const [first] = answers;
    expect(first).toMatchObject({ kind: 'joined' });
    expect(answers).toEqual(answers.map(() => first));
    expect(await store.joinMachine({ ...join, publicKey: 'other', id: id() })).toEqual({ kind: 'bad-token' });
  });

  test('given two that hold what the other wants, when both go on, then one is undone and repeated, and both are done', async () => {
    await using given = await open();
    const { store } = given;
    const row = await seeded(store);
    const other = { ...row, id: id(), name: 'eve' };
    await store.transaction((tx) => tx.insertWorker(other));
    let runs = 0;
    const first = Promise.withResolvers<void>();
    const second = Promise.withResolvers<void>();
    const both = async (own: typeof first, others: typeof first, ids: readonly [string, string]): Promise<void> =>
      store.transaction(async (tx) => {
        runs += 1;
        await tx.lockWorker(ids[0]);
        own.resolve();
        await others.promise;
        const found = await tx.lockWorker(ids[1]);
        if (found !== null) await tx.saveWorker({ ...found, state: noted(found.state, 'done') }, 5);
      });

    await Promise.all([both(first, second, [row.id, other.id]), both(second, first, [other.id, row.id])]);

    expect(runs).toBeGreaterThan(2);
    expect((await store.listWorkers()).map(({ state }) => state.lifecycle.note)).toEqual(['done', 'done']);
  });

  test.each([
    ['commit', 'name-taken'],
    ['fail', 'inserted'],
  ] as const)(
    'given a name that is just being taken, when another takes it too, then it waits for the %s, and its answer is %s',
    async (how, answer) => {
      await using given = await open();
      const { store } = given;
      const row = await seeded(store);
      const held = await hold(store, (tx) => tx.insertWorker({ ...row, id: id(), name: 'eve' }));
      const waiter = store.transaction((tx) => tx.insertWorker({ ...row, id: id(), name: 'eve' }));
      await store.ping();

      await held[how]();

      expect(await waiter).toBe(answer);
      expect(await store.listWorkers()).toHaveLength(2);
    },
  );

  test('given due work and commands that another transaction is changing, when others take some, then they pass these by', async () => {
    await using given = await open();
    const { store } = given;
    const row = await seeded(store);
    const [first, second] = [command(row, 1), command(row, 2)];
    await store.transaction((tx) => tx.schedule([WORK, { ...WORK, key: 'other' }]));
    await store.transaction((tx) => tx.insertCommands([first, second], 1));
    const held = await hold(store, async (tx) => {
      await tx.finishDueWork(WORK);
      await tx.dropCommandsBefore(row.id, 2);
    });

    const claimed = await store.claimDueWork(100, CLAIM);
    const taken = await store.takeCommands(row.machineId, 1, 10);
    await held.fail();

    expect(claimed.map(({ key }) => key)).toEqual(['other']);
    expect(taken.map((one) => one.id)).toEqual([second.id]);
    expect(await store.claimDueWork(100, CLAIM)).toEqual([WORK]);
    expect((await store.takeCommands(row.machineId, 1, 10)).map((one) => one.id)).toEqual([first.id]);
  });

  test('given a transaction that has read, when others commit, then its next statement sees that', async () => {
    await using given = await open();
    const { store } = given;
    const row = await seeded(store);

    const seen = await store.transaction(async (tx) => {
      const before = (await tx.listWorkers({})).length;
      await store.transaction((other) => other.insertWorker({ ...row, id: id(), name: 'eve' }));
      return [before, (await tx.listWorkers({})).length];
    });

    expect(seen).toEqual([1, 2]);
  });
}
