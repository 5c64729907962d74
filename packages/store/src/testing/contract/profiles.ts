// Agent profiles: the tests that every store passes.
import { expect, test } from 'vitest';
import type { OpenStore } from './open-store.ts';

/** Declares the tests; `open` gives each its own store. */
export function profileContract(open: OpenStore): void {
  test('given a profile, when it is replaced, staged and taken back, then each change has a newer revision, and a staged one gets another when asked', async () => {
    await using given = await open();
    const { store } = given;

    const nothing = { document: null, staged: null, former: null };
    const first = { ...nothing, document: { id: 'mine' } };
    const staged = { ...first, staged: { document: { id: 'mine', name: 'Mine' }, label: 'canary' } };
    const revisions = [
      (await store.readProfiles()).revision,
      await store.transaction((tx) => tx.putProfile('mine', first, 1)),
      await store.transaction((tx) => tx.putProfile('mine', staged, 2)),
    ];
    const { documents } = await store.readProfiles();
    await store.transaction((tx) => tx.renewStagedProfiles());
    const renewed = await store.readProfiles();
    const back = { ...nothing, former: { document: first.document } };
    revisions.push(renewed.revision, await store.transaction((tx) => tx.putProfile('mine', back, 3)));
    await store.transaction((tx) => tx.renewStagedProfiles());
    const after = await store.readProfiles();

    expect(documents).toEqual([{ name: 'mine', revision: revisions[2], ...staged }]);
    expect(renewed.documents).toEqual([{ name: 'mine', revision: renewed.revision, ...staged }]);
    expect(revisions).toEqual(revisions.toSorted((one, other) => one - other));
    expect(new Set(revisions).size).toBe(5);
    expect(after).toEqual({ revision: revisions[4], documents: [{ name: 'mine', revision: revisions[4], ...back }] });
  });
}
