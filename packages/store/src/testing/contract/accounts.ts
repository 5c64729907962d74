// Accounts: the tests that every store passes.
import { expect, test } from 'vitest';
import type { OpenStore } from './open-store.ts';

/** Declares the tests; `open` gives each its own store. */
export function accountContract(open: OpenStore): void {
  test('given an unknown account, when many lock it at once, then each sees what the last one wrote', async () => {
    await using given = await open();
    const { store } = given;
    const add = (): Promise<void> =>
      store.transaction(async (tx) => {
        const account = await tx.lockAccount('claude/team', 5);
        await tx.saveAccount({ ...account, state: { kind: 'open', since: account.state.since + 1 } });
      });

    const before = await store.transaction((tx) => tx.readAccount('claude/team'));
    await Promise.all(Array.from({ length: 8 }, add));

    expect(before).toBeNull();
    expect(await store.listAccounts()).toEqual([
      { key: 'claude/team', state: { kind: 'open', since: 8 }, quota: null, updatedAt: 5 },
    ]);
  });
}
