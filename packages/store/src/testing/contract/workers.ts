// Workers: the tests that every store passes.
import { expect, test } from 'vitest';
import type { OpenStore } from './open-store.ts';
import { eventOf, failedOnceMore, id, noted, seeded } from './seeds.ts';

/** Declares the tests; `open` gives each its own store. */
export function workerContract(open: OpenStore): void {
  test('given a worker, when its transaction fails, then nothing of it is kept', async () => {
    await using given = await open();
    const { store } = given;
    const row = await seeded(store);

    const failing = store.transaction(async (tx) => {
      await tx.saveWorker({ ...row, state: noted(row.state, 'changed') }, 5);
      throw new Error('no');
    });

    await expect(failing).rejects.toThrow('no');
    expect((await store.readWorker(row.id))?.state.lifecycle.note).toBe('');
  });

  test('given two transactions on one worker, when both add to it, then none is lost', async () => {
    await using given = await open();
    const { store } = given;
    const { id: workerId } = await seeded(store);
    const add = (): Promise<void> =>
      store.transaction(async (tx) => {
        const row = await tx.lockWorker(workerId);
        if (row === null) throw new Error('gone');
        await tx.saveWorker({ ...row, state: failedOnceMore(row.state) }, 5);
      });

    await Promise.all(Array.from({ length: 10 }, add));

    expect((await store.readWorker(workerId))?.state.command.failures).toBe(10);
    expect((await store.readWorker(workerId))?.version).toBe(11);
  });

  test('given a name, when a second worker takes it, then it is refused and the first is left alone', async () => {
    await using given = await open();
    const { store } = given;
    const row = await seeded(store);

    const outcome = await store.transaction((tx) => tx.insertWorker({ ...row, id: id() }));

    expect(outcome).toBe('name-taken');
    expect(await store.listWorkers()).toHaveLength(1);
  });

  test('given a worker, when a decision is saved, then its row, its deadlines and its history say so', async () => {
    await using given = await open();
    const { store } = given;
    const row = await seeded(store);
    await store.transaction((tx) => tx.setDeadlines(row.id, { check: 100, settle: 50 }));

    const state = { ...noted(row.state, 'decided'), deadlines: { check: 300 } };
    const event = eventOf(row, { at: 7 });
    await store.transaction((tx) => tx.saveDecision({ row: { ...row, state }, event }, 7));

    expect(await store.readWorker(row.id)).toMatchObject({
      state: { lifecycle: { note: 'decided' } },
      version: row.version + 1,
    });
    expect(await store.claimDueWork(300, { limit: 10, leaseMs: 10 })).toMatchObject([{ dueAt: 300 }]);
    expect(await store.listEvents({ of: { workerId: row.id }, limit: 10 })).toMatchObject([{ at: 7 }]);
  });
}
