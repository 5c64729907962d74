// The work queue: the tests that every store passes.
import { expect, test } from 'vitest';
import type { QueueItemRow } from '../../port/queue.ts';
import type { OpenStore } from './open-store.ts';
import { queueItem } from './row-seeds.ts';
import { id, seeded } from './seeds.ts';

/** Declares the tests; `open` gives each its own store. */
export function queueContract(open: OpenStore): void {
  test('given items, when they are listed, then the most urgent comes first, and of these the oldest', async () => {
    await using given = await open();
    const { store } = given;
    const { projectId } = await seeded(store);
    const rows = [
      item(projectId, { title: 'old S2', priority: 'S2', createdAt: 1 }),
      item(projectId, { title: 'new S1', priority: 'S1', createdAt: 3 }),
      item(projectId, { title: 'old S1', priority: 'S1', createdAt: 2 }),
      item(projectId, { title: 'done', priority: 'S0', status: 'done' }),
    ];
    await store.transaction(async (tx) => {
      for (const row of rows) await tx.insertQueueItem(row);
    });

    const waiting = await store.listQueueItems({ projectId, status: ['open', 'taken'], limit: 10 });
    const all = await store.listQueueItems({ limit: 1 });

    expect(waiting.map(({ title }) => title)).toEqual(['old S1', 'new S1', 'old S2']);
    expect(all.map(({ title }) => title)).toEqual(['done']);
  });

  test('given an item, when the same is filed again, then it is counted, and filed again only when the first is over', async () => {
    await using given = await open();
    const { store } = given;
    const { projectId } = await seeded(store);
    const [first, again, later] = [1, 2, 3].map((at) => item(projectId, { dedupeKey: 'same', createdAt: at }));
    if (first === undefined || again === undefined || later === undefined) throw new Error('There are three');

    const outcomes = [
      await store.transaction((tx) => tx.insertQueueItem(first)),
      await store.transaction((tx) => tx.insertQueueItem(again)),
    ];
    await store.transaction(async (tx) => {
      const held = await tx.lockQueueItem(first.id);
      if (held !== null) await tx.saveQueueItem({ ...held, status: 'done' });
    });
    outcomes.push(await store.transaction((tx) => tx.insertQueueItem(later)));

    expect(outcomes).toEqual(['filed', 'repeated', 'filed']);
    expect(await store.readQueueItem(first.id)).toMatchObject({ status: 'done', occurrences: 2, createdAt: 1 });
    expect(await store.readQueueItem(again.id)).toBeNull();
    expect(await store.readQueueItem(later.id)).toMatchObject({ status: 'open', occurrences: 1 });
  });

  test('given an item, when many would take it at once, then one does', async () => {
    await using given = await open();
    const { store } = given;
    const row = await seeded(store);
    const wanted = item(row.projectId, {});
    await store.transaction((tx) => tx.insertQueueItem(wanted));
    const take = (): Promise<boolean> =>
      store.transaction(async (tx) => {
        const held = await tx.lockOpenQueueItem(wanted.id);
        if (held !== null) await tx.saveQueueItem({ ...held, status: 'taken', workerId: row.id, taskId: id() });
        return held !== null;
      });

    const took = await Promise.all(Array.from({ length: 8 }, take));

    expect(took.filter((did) => did)).toHaveLength(1);
    expect(await store.readQueueItem(wanted.id)).toMatchObject({ status: 'taken', workerId: row.id });
  });

  test('given an item that is taken, when its transaction fails, then it is open as before', async () => {
    await using given = await open();
    const { store } = given;
    const { projectId } = await seeded(store);
    const wanted = item(projectId, {});
    await store.transaction((tx) => tx.insertQueueItem(wanted));

    const failing = store.transaction(async (tx) => {
      const held = await tx.lockOpenQueueItem(wanted.id);
      if (held !== null) await tx.saveQueueItem({ ...held, status: 'taken' });
      throw new Error('no');
    });

    await expect(failing).rejects.toThrow('no');
    expect(await store.readQueueItem(wanted.id)).toEqual(wanted);
  });

  test('given work items, when one is taken, then the others are still listed, and a repeat only counts', async () => {
    await using given = await open();
    const { store } = given;
    const worker = await seeded(store);
    const [later, urgent] = [queueItem(worker), queueItem(worker, { priority: 'S0', createdAt: 20 })];

    const filed = await store.transaction(async (tx) => [
      await tx.insertQueueItem(later),
      await tx.insertQueueItem(urgent),
      await tx.insertQueueItem(queueItem(worker, { dedupeKey: later.dedupeKey, updatedAt: 30 })),
    ]);
    const taken = await store.transaction(async (tx) => {
      const next = await tx.lockQueueItem(urgent.id);
      if (next !== null) await tx.saveQueueItem({ ...next, status: 'taken', workerId: worker.id });
      return next;
    });

    expect(filed).toEqual(['filed', 'filed', 'repeated']);
    expect(taken).toEqual(urgent);
    expect(await store.readQueueItem(urgent.id)).toEqual({ ...urgent, status: 'taken', workerId: worker.id });
    expect(await store.listQueueItems({ projectId: worker.projectId, status: ['open'], limit: 10 })).toEqual([
      { ...later, occurrences: 2, updatedAt: 30 },
    ]);
  });
}

function item(projectId: string, patch: Partial<QueueItemRow>): QueueItemRow {
  const own = id();
  return {
    id: own,
    projectId,
    priority: 'S2',
    title: 't',
    body: 'b',
    class: 'task',
    dedupeKey: own,
    source: { worker: 'adam', task: null },
    actor: { kind: 'policy' },
    status: 'open',
    workerId: null,
    taskId: null,
    failures: 0,
    occurrences: 1,
    createdAt: 1,
    updatedAt: 1,
    ...patch,
  };
}
