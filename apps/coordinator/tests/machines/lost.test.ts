/** A machine that is silent for longer than its lease has its workers checked. */
import { expect, test } from 'vitest';
import { machineChecksDue, machineNews } from '../../src/use-cases/machines/lost.ts';
import { patrol } from '../../src/due/patrol.ts';
import { PATROL_KEY } from '../../src/database/prepare.ts';
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

test('given an outage in which no machine could be heard, when the patrol comes back, then a machine is called lost only a lease later', async () => {
  await using scene = await silent(3_600_000);
  const { nature } = scene;

  // Makes the round that was due in the middle of the outage.
  expect(await scene.patrols(nature.now - 1_800_000)).toEqual([]);
  nature.now += 60_000;
  expect(await scene.patrols(nature.now)).toEqual([]);
  nature.now += 60_000;
  expect(await scene.patrols(nature.now)).toHaveLength(scene.workers.length);
});

test('given a grace after an outage, when the clock is set back by hours, then a machine is called lost no later for that', async () => {
  await using scene = await silent(20 * 3_600_000);
  const { nature } = scene;
  await scene.patrols(nature.now - 1_800_000);
  nature.now -= 6 * 3_600_000;

  expect(await scene.patrols(nature.now)).toEqual([]);
  nature.now += 91_000;

  expect(await scene.patrols(nature.now)).toHaveLength(scene.workers.length);
});

async function silent(ms: number) {
  const stored = await inMemory();
  const nature = new Nature();
  const ctx = { ...contextOf(stored.open(), nature), patrolEveryMs: 60_000 };
  const workers = await withWorkers(ctx, ['adam', 'bea']);
  for (const row of workers) await ctx.store.touchMachine(neverHeard(row), nature.now - ms);
  /** Makes a round that was due then. @returns the workers to be checked. */
  const patrols = async (dueAt: number): Promise<readonly string[]> => {
    const [known] = (await ctx.store.claimDueWork(Number.MAX_SAFE_INTEGER, { limit: 100, leaseMs: 0 })).filter(
      ({ kind }) => kind === 'patrol',
    );
    await patrol(ctx, { ...(known ?? { kind: 'patrol', key: PATROL_KEY, payload: {} }), dueAt });
    const all = await ctx.store.claimDueWork(nature.now, { limit: 100, leaseMs: 0 });
    return all.filter(({ key }) => key.endsWith(':machine')).map(({ key }) => key);
  };
  const due = async (): Promise<readonly string[]> => (await machineChecksDue(ctx)).map(({ key }) => key);
  return { ctx, nature, workers, due, patrols, [Symbol.asyncDispose]: () => stored[Symbol.asyncDispose]() };
}
