// Checkpoints: the tests that every store passes.
import { expect, test } from 'vitest';
import type { OpenStore } from '../open-store.ts';
import { checkpoint } from '../row-seeds.ts';
import { seeded } from '../seeds.ts';

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
}
