// Policies: the tests that every store passes.
import { expect, test } from 'vitest';
import type { OpenStore } from './open-store.ts';

/** Declares the tests; `open` gives each its own store. */
export function policyContract(open: OpenStore): void {
  test('given a policy, when it is kept again under its version, then the first stays', async () => {
    await using given = await open();
    const { store } = given;
    await store.transaction((tx) => tx.keepPolicy({ version: 'a', document: { n: 1 }, createdAt: 1 }));
    await store.transaction((tx) => tx.keepPolicy({ version: 'a', document: { n: 2 }, createdAt: 2 }));
    await store.transaction((tx) => tx.keepPolicy({ version: 'b', document: { n: 3 }, createdAt: 3 }));

    expect(await store.listPolicies()).toEqual([
      { version: 'b', document: { n: 3 }, createdAt: 3 },
      { version: 'a', document: { n: 1 }, createdAt: 1 },
    ]);
  });
}
