// Agent profiles: the tests that every store passes.
import { expect, test } from 'vitest';
import type { OpenStore } from './open-store.ts';

/** Declares the tests; `open` gives each its own store. */
export function profileContract(open: OpenStore): void {
  test('given a profile, when it is replaced and taken back, then each change has a newer revision', async () => {
    await using given = await open();
    const { store } = given;

    const revisions = [
      (await store.readProfiles()).revision,
      await store.transaction((tx) => tx.putProfile('mine', { id: 'mine' }, 1)),
      await store.transaction((tx) => tx.putProfile('mine', { id: 'mine', name: 'Mine' }, 2)),
    ];
    const { documents } = await store.readProfiles();
    revisions.push(await store.transaction((tx) => tx.putProfile('mine', null, 3)));
    const after = await store.readProfiles();

    expect(documents).toEqual([{ name: 'mine', revision: revisions[2], document: { id: 'mine', name: 'Mine' } }]);
    expect(revisions).toEqual(revisions.toSorted((one, other) => one - other));
    expect(new Set(revisions).size).toBe(4);
    expect(after).toEqual({ revision: revisions[3], documents: [] });
  });
}
