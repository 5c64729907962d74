// Agent profiles: the tests that every store passes.
import { expect, test } from 'vitest';
import type { FleetProfile } from '../../port/profiles.ts';
import type { OpenStore } from './open-store.ts';

/** Declares the tests; `open` gives each its own store. */
export function profileContract(open: OpenStore): void {
  test('given a profile, when it is replaced, staged and taken back, then each change has a newer revision, and a staged one gets another when asked', async () => {
    await using given = await open();
    const { store } = given;

    const first = { document: { id: 'mine' }, staged: null, former: null };
    const staged = { ...first, staged: { document: { id: 'mine', name: 'Mine' }, label: 'canary' } };
    const back = { document: null, staged: null, former: { document: first.document } };
    const put = (profile: FleetProfile): Promise<number> =>
      store.transaction((tx) => tx.putProfile('mine', profile, 1));

    const revisions = [(await store.readProfiles()).revision, await put(first), await put(staged)];
    await store.transaction((tx) => tx.renewStagedProfiles());
    const renewed = await store.readProfiles();
    revisions.push(renewed.revision, await put(back));
    await store.transaction((tx) => tx.renewStagedProfiles());

    expect(renewed.documents).toEqual([{ name: 'mine', revision: revisions[3], ...staged }]);
    expect(revisions).toEqual([...new Set(revisions)].toSorted((one, other) => one - other));
    expect((await store.readProfiles()).documents).toEqual([{ name: 'mine', revision: revisions[4], ...back }]);
  });
}
