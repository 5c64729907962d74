/** A machine that is silent for longer than its lease: which workers are told. */
import { expect, test } from 'vitest';
import { machineChecksDue, machineNews } from '../../src/use-cases/machines/lost.ts';
import { contextOf, inMemory, Nature, neverHeard, withWorkers } from '../support/scene.ts';

test('given a machine that speaks, when its workers are checked, then no worker gets an event', async () => {
  await using scene = await silent(89_000);

  expect(await scene.due()).toEqual([]);
});

test('given a machine that is silent beyond its lease, when that is noticed, then each worker that should be up is told for how long', async () => {
  await using scene = await silent(91_000);
  const { ctx, workers } = scene;

  const due = await scene.due();
  const [row] = workers;
  const news = await ctx.store.transaction(async (tx) => (row === undefined ? null : machineNews(ctx, tx, row)));

  expect(due).toEqual(workers.map(({ id }) => `${id}:machine`));
  expect(news).toEqual({ kind: 'machine-lost', silentMs: 91_000 });
});

test('given a machine that speaks again before the look is taken, when it is taken, then nothing is told', async () => {
  await using scene = await silent(91_000);
  const { ctx, workers, nature } = scene;
  await scene.due();
  const [row] = workers;
  if (row === undefined) throw new Error('no workers');

  await ctx.store.touchMachine(neverHeard(row), nature.now);

  expect(await ctx.store.transaction((tx) => machineNews(ctx, tx, row))).toBeNull();
});

async function silent(ms: number) {
  const stored = await inMemory();
  const nature = new Nature();
  const ctx = contextOf(stored.open(), nature);
  const workers = await withWorkers(ctx, ['adam', 'bea']);
  for (const row of workers) await ctx.store.touchMachine(neverHeard(row), nature.now - ms);
  const due = async (): Promise<readonly string[]> => (await machineChecksDue(ctx, workers)).map(({ key }) => key);
  return { ctx, nature, workers, due, [Symbol.asyncDispose]: () => stored[Symbol.asyncDispose]() };
}
