/** A question of a run to its machine outlives the worker under whose settings it is carried out. On a store in memory. */
import { createMemoryStore, MemoryDatabase, runRow } from '@drover/store/testing';
import { expect, test } from 'vitest';
import { runRequestDue } from '../../src/loop/runs/due.ts';
import { carryOutRunRequest } from '../../src/use-cases/runs/requests/carry-out.ts';
import { contextOf, Nature, withWorkers } from '../support/scene.ts';

test('given a commit that a machine is asked to keep, when its author is removed meanwhile, then the answer of the machine still counts', async () => {
  const database = new MemoryDatabase();
  const store = createMemoryStore({ database, sleep: () => Promise.resolve(), random: () => 0 });
  const ctx = contextOf(store, new Nature());
  const [worker] = await withWorkers(ctx, ['ada']);
  if (worker === undefined) throw new Error('no worker');
  const run = runRow(worker);
  const request = {
    kind: 'pin',
    id: `${run.id}:1`,
    item: 'build',
    workerId: worker.id,
    commit: 'b'.repeat(40),
  } as const;
  const work = runRequestDue({ runId: run.id, request }, 0);
  await ctx.store.transaction(async (tx) => {
    await tx.insertRun(run);
    await tx.schedule([work]);
  });
  await carryOutRunRequest(ctx, work);
  const { machineId } = worker;
  const [asked] = [...database.outbox.values()].filter(({ body }) => body.kind === 'query');

  await ctx.store.transaction((tx) => tx.deleteWorker(worker.id));

  const answer = { id: asked?.id ?? '', machineId, command: null, result: { kind: 'run-forgotten' } } as const;
  expect(await ctx.store.transaction((tx) => tx.finishCommands([answer], ctx.clock.now()))).toEqual(['finished']);
});
