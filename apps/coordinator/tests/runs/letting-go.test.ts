/** Commits of a run that is over: which machine is asked to let go of them, and when. On a store in memory. */
import { expect, test } from 'vitest';
import { KEPT, scene, startOf, WORK } from '../support/carrying.ts';

const DAY_MS = 24 * 3_600_000;

test('given a machine that was given commits, when the run is over and merged, or was over for long, then it is asked to let go of them, and not before', async () => {
  const given = await scene();
  const { ctx, two, run, nature } = given;
  const asked = (): unknown => given.askedOf(two.liar)?.query.kind;
  const aDayLater = async (change: Partial<typeof run>): Promise<unknown> => {
    await ctx.store.transaction((tx) => tx.saveRun({ ...run, ...change }));
    nature.now += DAY_MS;
    await given.work();
    return asked();
  };
  await given.request(startOf(run.id));
  await given.answers(two.liar, KEPT);
  const endedAt = nature.now;

  const open = await aDayLater({});
  const over = await aDayLater({ endedAt });
  const merged = await aDayLater({ endedAt, state: { ...run.state, merged: WORK } });

  expect([open, over, merged]).toEqual([undefined, undefined, 'run-forget']);
  expect(given.askedOf(two.honest)).toBeNull();
});

test('given the run’s own machine asked to let go, when another one was given commits, then it is asked at once, and else never', async () => {
  const given = await scene();
  const { ctx, two, run, nature } = given;
  const ended = { ...run, endedAt: nature.now, state: { ...run.state, merged: WORK } };
  const asked = async (request: string): Promise<readonly unknown[]> => {
    await given.request({ kind: 'forget', id: request, at: 0 });
    await given.work();
    return [two.honest, two.liar].map((machine) => given.askedOf(machine)?.query.kind);
  };

  const before = await asked(`${run.id}:8`);
  await given.request(startOf(run.id));
  await given.answers(two.liar, KEPT);
  await ctx.store.transaction((tx) => tx.saveRun(ended));
  const after = await asked(`${run.id}:9`);

  expect([before, after]).toEqual([
    ['run-forget', undefined],
    ['run-forget', 'run-forget'],
  ]);
});

test('given a run that was never merged, whose machine is revoked, when its commits were kept for long enough, then the other machine is asked to let go', async () => {
  const given = await scene();
  const { ctx, two, run, nature } = given;
  await given.request(startOf(run.id));
  await given.answers(two.liar, KEPT);
  await ctx.store.transaction(async (tx) => {
    await tx.saveRun({ ...run, endedAt: nature.now });
    await tx.revokeMachine(two.honest.id, nature.now);
  });

  nature.now += 31 * DAY_MS;
  await given.work();

  expect(given.askedOf(two.liar)?.query).toMatchObject({ kind: 'run-forget', run: run.id });
});
