// Checkpoints: the tests that every store passes.
import { expect, test } from 'vitest';
import type { WorkerReceipt } from '../../../port/history.ts';
import type { OpenStore } from '../open-store.ts';
import { checkpoint } from '../row-seeds.ts';
import { id, seeded, eventOf } from '../seeds.ts';

/** Declares the tests; `open` gives each its own store. */
export function checkpointContract(open: OpenStore): void {
  test('given checkpoints, when they are stored twice and deleted, then each is there once, newest first', async () => {
    await using given = await open();
    const { store } = given;
    const worker = await seeded(store);
    const [older, newer] = [checkpoint(worker), checkpoint(worker, { createdAt: 20, type: 'manual', commit: null })];

    const stored = await store.transaction(async (tx) => [
      await tx.insertCheckpoint(older),
      await tx.insertCheckpoint(newer),
      await tx.insertCheckpoint(older),
    ]);
    const listed = await store.listCheckpoints({ workerName: worker.name, limit: 10 });
    await store.transaction((tx) => tx.deleteCheckpoints([newer.id]));

    expect(stored).toEqual([true, true, false]);
    expect(listed).toEqual([newer, older]);
    expect(await store.readCheckpoint(newer.id)).toBeNull();
    expect(await store.readCheckpoint(older.id)).toEqual(older);
  });

  test('given what has ended, when it is old, then tasks, receipts and checkpoints of removed workers go, and those of others stay', async () => {
    await using given = await open();
    const { store } = given;
    const worker = await seeded(store);
    const gone = id();
    const task = {
      projectId: worker.projectId,
      workerId: worker.id,
      workerName: worker.name,
      prompt: 'p',
      createdAt: 1,
    };
    const [ended, late, begun] = [id(), id(), id()];
    const [own, orphan] = [checkpoint(worker), { ...checkpoint(worker), id: id(), workerId: gone }];
    const remembered = { ...checkpoint(worker), id: id(), workerId: id() };
    const receipt = { textId: 'o', purpose: 'task', outcome: 'delivered', receipt: RECEIPT };
    await store.transaction(async (tx) => {
      for (const one of [ended, late, begun]) await tx.insertTask({ ...task, id: one, status: 'new', actor: POLICY });
      await tx.setTaskStatus(ended, 'accepted', 50);
      await tx.setTaskStatus(late, 'accepted', 150);
      for (const one of [own, orphan, remembered]) await tx.insertCheckpoint(one);
      // Leaves an event of a worker that was removed lately.
      await tx.insertEvent(eventOf({ ...worker, id: remembered.workerId }, { at: 150 }));
      await tx.insertReceipts([50, 60, 150].map((at) => ({ ...receipt, at, workerId: worker.id }) as WorkerReceipt));
    });

    let steps = 1;
    while (!(await store.transaction((tx) => tx.prune(100, 1)))) steps += 1;

    expect(steps).toBeLessThan(5);
    const tasks = await store.listTasks({ limit: 10 });
    expect(new Set(tasks.map((one) => one.id))).toEqual(new Set([late, begun]));
    const left = await store.listCheckpoints({ limit: 10 });
    expect(new Set(left.map((one) => one.id))).toEqual(new Set([own.id, remembered.id]));
    expect((await store.listReceipts(worker.id, 10)).map(({ at }) => at)).toEqual([150]);
  });
}

const POLICY = { kind: 'policy' } as const;
const RECEIPT = { evidence: [], steps: [], method: 'paste', bytes: 1, enters: 1 };
