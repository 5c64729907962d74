// Workers: the tests that every store passes.
import { expect, test } from 'vitest';
import type { OpenStore } from './open-store.ts';
import { command, eventOf, failedOnceMore, id, noted, seeded } from './seeds.ts';

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
    await store.transaction((tx) => tx.saveDecisions([{ row: { ...row, state }, commands: [], event }]));

    expect(await store.readWorker(row.id)).toMatchObject({
      state: { lifecycle: { note: 'decided' } },
      version: row.version + 1,
    });
    expect(await store.claimDueWork(300, { limit: 10, leaseMs: 10 })).toMatchObject([{ dueAt: 300 }]);
    expect(await store.listEvents({ of: { workerId: row.id }, limit: 10 })).toMatchObject([{ at: 7 }]);
  });

  test('given several decisions, when they are saved together, then each is as if it were alone, in their order', async () => {
    await using given = await open();
    const { store } = given;
    const first = await seeded(store);
    const other = { ...first, id: id(), name: 'other' };
    await store.transaction(async (tx) => {
      await tx.insertWorker(other);
      await tx.setDeadlines(other.id, { check: 100 });
    });

    const decided = [other, first].map((row, index) => {
      const state = { ...noted(row.state, row.name), deadlines: row === first ? { check: 300 } : {} };
      return { row: { ...row, state }, commands: [command(row, 1)], event: eventOf(row, { at: 7 + index }) };
    });
    await store.transaction((tx) => tx.saveDecisions(decided));

    for (const { id: workerId, name } of [first, other])
      expect((await store.readWorker(workerId))?.state.lifecycle.note).toBe(name);
    expect(await store.claimDueWork(300, { limit: 10, leaseMs: 10 })).toMatchObject([
      { workerId: first.id, payload: { name: 'check' } },
    ]);
    expect((await store.listEvents({ limit: 10 })).map(({ workerId }) => workerId)).toEqual([first.id, other.id]);
  });

  test('given decisions with and without a row of the audit, when they are saved together, then the chain holds', async () => {
    await using given = await open();
    const { store } = given;
    const first = await seeded(store);
    const rows = [first, { ...first, id: id(), name: 'b' }, { ...first, id: id(), name: 'c' }];
    await store.transaction(async (tx) => {
      for (const row of rows.slice(1)) await tx.insertWorker(row);
    });
    const entry = { chain: 'one', at: 7, actor: 'policy', body: '{}' };

    const decided = rows.map((row, index) => ({
      row,
      commands: [],
      event: eventOf(row, { at: 7 }),
      ...(index !== 1 && { audit: entry }),
    }));
    await store.transaction((tx) => tx.saveDecisions(decided));

    const kept = await store.auditPage(null, 10);
    expect(kept.map(({ seq }) => seq)).toEqual([1, 2]);
    expect(new Set(kept.map(({ hash }) => hash)).size).toBe(2);
  });

  test('given workers of two machines, when those of one are locked together, then only they come, in the order of their ids', async () => {
    await using given = await open();
    const { store } = given;
    const first = await seeded(store);
    const other = { ...first, id: id(), name: 'other' };
    await store.transaction((tx) => tx.insertWorker(other));
    const ids = [first.id, other.id];

    const [here, there] = await store.transaction(async (tx) => [
      await tx.lockWorkers([...ids.toReversed(), ids[0] ?? '', id()], { machineId: first.machineId }),
      await tx.lockWorkers(ids, { machineId: id() }),
    ]);

    expect(here?.map((row) => row.id)).toEqual(ids.toSorted());
    expect(there).toEqual([]);
  });
}
