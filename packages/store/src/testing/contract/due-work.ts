// Due work: the tests that every store passes.
import { expect, test } from 'vitest';
import type { DueWork } from '../../port/due-work.ts';
import type { OpenStore } from './open-store.ts';
import { seeded } from './seeds.ts';

/** Declares the tests; `open` gives each its own store. */
export function dueWorkContract(open: OpenStore): void {
  test('given deadlines, when the set is replaced, then only the new set is due', async () => {
    await using given = await open();
    const { store } = given;
    const { id: workerId } = await seeded(store);
    await store.transaction((tx) => tx.setDeadlines(workerId, { check: 100, settle: 50 }));

    await store.transaction((tx) => tx.setDeadlines(workerId, { check: 200 }));

    expect(await store.nextDueAt()).toBe(200);
    expect(await store.claimDueWork(199, { limit: 10, leaseMs: 10 })).toEqual([]);
    expect(await store.claimDueWork(200, { limit: 10, leaseMs: 10 })).toHaveLength(1);
  });

  test('given due work, when two ask for it, then one gets it, and the other when the lease is over', async () => {
    await using given = await open();
    const { store } = given;
    const work: DueWork = { kind: 'patrol', key: 'main', dueAt: 100, payload: { round: 1 } };
    await store.transaction((tx) => tx.schedule([work]));

    const claims = await Promise.all([1, 2].map(() => store.claimDueWork(100, { limit: 10, leaseMs: 30 })));
    const early = await store.claimDueWork(120, { limit: 10, leaseMs: 30 });
    const late = await store.claimDueWork(131, { limit: 10, leaseMs: 30 });

    expect(claims.flat()).toEqual([work]);
    expect(early).toEqual([]);
    expect(late).toEqual([work]);
  });

  test('given work that was armed again while it was done, when it is finished, then the new time is kept', async () => {
    await using given = await open();
    const { store } = given;
    const work: DueWork = { kind: 'patrol', key: 'main', dueAt: 100, payload: {} };
    await store.transaction((tx) => tx.schedule([work]));
    await store.claimDueWork(100, { limit: 1, leaseMs: 30 });

    await store.transaction(async (tx) => {
      await tx.schedule([{ ...work, dueAt: 500 }]);
      await tx.finishDueWork(work);
    });

    expect(await store.nextDueAt()).toBe(500);
  });
}
