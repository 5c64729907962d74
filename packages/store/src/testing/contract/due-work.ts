// Tests of due work that every store passes.
import { expect, test } from 'vitest';
import { LEASE_DOUBLINGS_MAX } from '../../port/due-work.ts';
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

    expect(await store.nextDueAt(100)).toBe(200);
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

  test('given due work of a worker, of a project and of none, when it is claimed, then each row says whose it is', async () => {
    await using given = await open();
    const { store } = given;
    const { id: workerId, projectId } = await seeded(store);
    const rows: DueWork[] = [
      { kind: 'worker-event', key: 'a', workerId, dueAt: 1, payload: { a_b: null } },
      { kind: 'project', key: 'b', projectId, dueAt: 2, payload: [] },
      { kind: 'patrol', key: 'c', dueAt: 3, payload: {} },
    ];
    await store.transaction((tx) => tx.schedule(rows));

    expect(await store.claimDueWork(3, { limit: 10, leaseMs: 10 })).toEqual(rows);
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

    expect(await store.nextDueAt(100)).toBe(500);
  });

  test('given work of a later time, also leased, when it is hastened, then it is due at once; what is not there stays away', async () => {
    await using given = await open();
    const { store } = given;
    const work = workOf('main', 100);
    await store.transaction((tx) => tx.schedule([work]));
    await store.claimDueWork(100, { limit: 1, leaseMs: 1_000 });

    await store.transaction(async (tx) => {
      await tx.hastenDueWork(work, 50);
      await tx.hastenDueWork({ kind: work.kind, key: 'nothing' }, 50);
    });

    expect(await store.claimDueWork(60, { limit: 10, leaseMs: 10 })).toEqual([{ ...work, dueAt: 50 }]);
  });

  test('given work that somebody does, when it is hastened meanwhile, then that one finds it changed, and it is done anew', async () => {
    await using given = await open();
    const { store } = given;
    const work = workOf('main', 100);
    await store.transaction((tx) => tx.schedule([work]));
    await store.claimDueWork(100, { limit: 1, leaseMs: 1_000 });
    const before = await store.transaction((tx) => tx.lockDueWork(work));

    // At the very time for which it was armed.
    await store.transaction((tx) => tx.hastenDueWork(work, 100));

    expect([before, await store.transaction((tx) => tx.lockDueWork(work))]).toEqual([true, false]);
    expect(await store.claimDueWork(100, { limit: 1, leaseMs: 10 })).toEqual([{ ...work, dueAt: 99 }]);
    await store.transaction((tx) => tx.finishDueWork({ ...work, dueAt: 99 }));
    expect(await store.transaction((tx) => tx.lockDueWork({ ...work, dueAt: 99 }))).toBe(false);
  });

  test('given work that is locked and armed for later, when it is hastened at the same time, then it is due at once', async () => {
    await using given = await open();
    const { store } = given;
    const work = workOf('main', 100);
    await store.transaction((tx) => tx.schedule([work]));
    const hastened: Promise<void>[] = [];

    await store.transaction(async (tx) => {
      await tx.lockDueWork(work);
      hastened.push(store.transaction((other) => other.hastenDueWork(work, 120)));
      await tx.schedule([{ ...work, dueAt: 60_100 }]);
    });
    await Promise.all(hastened);

    expect(await store.nextDueAt(100)).toBe(120);
  });

  test('given work that is leased, when the next time is asked for, then it is the end of the lease, and no earlier than other work', async () => {
    await using given = await open();
    const { store } = given;
    const [leased, later] = [workOf('main', 100), workOf('later', 150)];
    await store.transaction((tx) => tx.schedule([leased]));
    await store.claimDueWork(100, { limit: 1, leaseMs: 30 });

    const alone = await store.nextDueAt(100);
    await store.transaction((tx) => tx.schedule([later]));
    const [beside, over] = [await store.nextDueAt(100), await store.nextDueAt(131)];

    expect([alone, beside, over]).toEqual([130, 130, 100]);
  });

  test('given work that is never done, when it is taken again and again, then each lease is twice as long, up to a limit, and what it said is kept', async () => {
    await using given = await open();
    const { store } = given;
    const work = workOf('main', 100);
    await store.transaction((tx) => tx.schedule([work, workOf('fine', 100)]));
    const leases: number[] = [];
    let now = 1_000;
    for (let tries = 0; tries < LEASE_DOUBLINGS_MAX + 3; tries += 1) {
      for (const taken of await store.claimDueWork(now, { limit: 10, leaseMs: 2 }))
        if (taken.key === 'fine') await store.transaction((tx) => tx.finishDueWork(taken));
      const next = (await store.nextDueAt(now)) ?? 0;
      leases.push(next - now);
      now = next + 1;
    }
    await store.noteDueProblem(work, 'it is broken');
    await store.noteDueProblem({ ...work, dueAt: 99 }, 'of another time');

    const doublings = Array.from({ length: LEASE_DOUBLINGS_MAX + 1 }, (_, tries) => 2 * 2 ** tries);
    expect(leases).toEqual([...doublings, 2 * 2 ** LEASE_DOUBLINGS_MAX, 2 * 2 ** LEASE_DOUBLINGS_MAX]);
    const tries = LEASE_DOUBLINGS_MAX + 3;
    const failing = { kind: 'patrol', key: 'main', dueAt: 100, tries, problem: 'it is broken', nextTryAt: now - 1 };
    expect(await store.listFailingWork(5, 10)).toEqual([failing]);
    await store.transaction((tx) => tx.schedule([{ ...work, dueAt: now }]));
    expect(await store.listFailingWork(1, 10)).toEqual([]);
    expect(await store.claimDueWork(now, { limit: 10, leaseMs: 2 })).toHaveLength(1);
  });
}

function workOf(key: string, dueAt: number): DueWork {
  return { kind: 'patrol', key, dueAt, payload: {} };
}
