/** Placing while the run frees a worker of its own, as after each item. On a store in memory. */
import { expect, test } from 'vitest';
import { scene, startOf } from '../support/carrying.ts';

type Scene = Awaited<ReturnType<typeof scene>>;

/** Makes a scene in which the run frees a worker; the only free one is on another machine than the commits. */
async function freeing(): Promise<Scene> {
  const given = await scene();
  const { ctx, run } = given;
  const state = { ...run.state, releasing: [{ request: `${run.id}:0`, workerId: 'eve' }] };
  await ctx.store.transaction((tx) => tx.saveRun({ ...run, state }));
  return given;
}

test('given a worker beside the commits that is freed in a moment, when work is placed, then it waits that moment, and nothing is carried', async () => {
  const given = await freeing();

  await given.request(startOf(given.run.id));
  const before = given.outcomes();
  await given.idle('eve', { machine: given.two.honest.name });
  await given.work();

  expect(before).toEqual([]);
  expect(given.askedOf(given.two.liar)).toBeNull();
  expect(given.rowOf('eve').state.task).toMatchObject({ kind: 'in-hand', run: { item: 'build' } });
});

test('given a free worker beside the commits, when work is placed while another one is freed, then it has the work at once', async () => {
  const given = await freeing();
  await given.idle('eve', { machine: given.two.honest.name });

  await given.request(startOf(given.run.id));

  expect(given.rowOf('eve').state.task).toMatchObject({ kind: 'in-hand', run: { item: 'build' } });
});

test('given a worker that is not freed for a second, when work is placed, then it goes to the other machine', async () => {
  const given = await freeing();

  await given.request(startOf(given.run.id));
  for (let look = 0; look < 12; look += 1) {
    given.nature.now += 100;
    await given.work();
  }

  expect(given.askedOf(given.two.liar)?.query.kind).toBe('run-bring');
});
