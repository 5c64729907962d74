/** Due work of a worker that another transaction is changing. */
import type { Store, StoreTransaction } from '@drover/store';
import { expect, test } from 'vitest';
import { drainDueWork } from '../../src/due/drain.ts';
import { contextOf, Nature, onPostgres, withWorkers } from '../support/scene.ts';

test('given a decision about a worker, when a deadline of it is due at that moment, then neither waits in vain for the other', async () => {
  await using stored = await onPostgres();
  const [nature, begun] = [new Nature(), Promise.withResolvers<void>()];
  const [ctx, tries] = [contextOf(stored.open(), nature), { decides: 0, due: 0 }];
  const [worker] = await withWorkers(ctx, ['w0']);
  if (worker === undefined) throw new Error('no worker');
  await ctx.store.transaction((tx) => tx.setDeadlines(worker.id, { check: nature.now }));
  const due = watched(ctx.store, { asksForWorker: begun.resolve, tries: () => (tries.due += 1) });

  let draining = Promise.resolve(0);
  await ctx.store.transaction(async (tx) => {
    tries.decides += 1;
    await tx.lockWorker(worker.id);
    if (tries.decides === 1) draining = drainDueWork({ ...ctx, store: due });
    await begun.promise;
    await tx.setDeadlines(worker.id, { check: nature.now + 60_000 });
  });

  expect(await draining).toBe(1);
  expect(tries).toEqual({ decides: 1, due: 1 });
  expect(await ctx.store.nextDueAt(nature.now)).toBe(nature.now + 60_000);
});

/** Reports each try of a transaction, and each request for a worker's row. */
function watched(store: Store, tell: { asksForWorker: () => void; tries: () => void }): Store {
  const watch = (tx: StoreTransaction): StoreTransaction =>
    Object.create(tx, {
      lockWorker: {
        value: (id: string) => {
          tell.asksForWorker();
          return tx.lockWorker(id);
        },
      },
    }) as StoreTransaction;
  const transaction: Store['transaction'] = (work) =>
    store.transaction((tx) => {
      tell.tries();
      return work(watch(tx));
    });
  return { ...store, transaction };
}
