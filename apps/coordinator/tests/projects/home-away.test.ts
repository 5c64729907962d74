/** Tasks for an idle worker whose machine could not make its checkout, because the machine with the repository was away. On a store in memory. */
import { expect, test } from 'vitest';
import { emptied, heard, nameOf } from '../support/placing.ts';

const WHY = 'The repository of "demo" is on the machine "honest", which is not connected: Drover waits for it.';

type Fleet = Awaited<ReturnType<typeof emptied>>;

/** Has `ada` idle on the machine that could not make its checkout. */
async function unmade(code: string): Promise<Fleet> {
  const fleet = await emptied();
  const { ctx, two, nature } = fleet;
  const [project] = await ctx.store.listProjects();
  if (project === undefined) throw new Error('no project');
  await ctx.store.upsertProject({ ...project, config: { ...project.config, home: two.honest.name } }, 1);
  await fleet.idle('ada', { machine: two.liar.name });
  const checkout = { root: '/srv/demo', state: 'failed', error: { code, message: WHY }, at: nature.now } as const;
  const of = { machineId: two.liar.id, projectId: project.id };
  await ctx.store.transaction((tx) => tx.saveCheckout(of, checkout));
  return fleet;
}

test('given a machine with the repository that was away, when it is back, then workers of other machines get tasks again', async () => {
  const fleet = await unmade('home-away');
  const { ctx, two, nature } = fleet;
  nature.now += 600_000;
  await ctx.store.touchMachine(
    { machineId: two.liar.id, epoch: two.liar.epoch, agentEpoch: two.liar.agentEpoch },
    nature.now,
  );

  const during = await fleet.start();
  await heard(two);
  const after = await fleet.start();

  expect(nameOf(during)).toContain('does not have the project: The repository of "demo" is on the machine "honest"');
  expect(nameOf(after)).toBe('ada on liar');
});

test('given a checkout that failed for another reason, when a task is placed, then the worker does not get it', async () => {
  const fleet = await unmade('clone-failed');

  expect(nameOf(await fleet.start())).toContain('does not have the project');
});
