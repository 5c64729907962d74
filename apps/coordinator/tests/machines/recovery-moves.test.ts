/** Recovery moves a worker when its own machine can make no session. On scripted machines. */
import type { Machine } from '@drover/store';
import { expect, test } from 'vitest';
import { addNamesake, Moving } from '../support/moving.ts';
import { Nature } from '../support/scene.ts';
import { twoMachines } from '../support/two-machines.ts';

test('given a machine that can make no session any more, when another is free, then recovery moves the worker there with its work, and nobody is asked', async () => {
  const nature = new Nature();
  const given = new Moving(await twoMachines(nature), nature);
  const { honest, liar, ctx } = given.two;
  given.ends = (kind, { id }) =>
    kind === 'open' && id === honest.id
      ? { kind: 'failed', code: 'server-busy', message: 'no server running', retry: false }
      : null;

  await given.play(() => given.told.includes('honest deliver'));
  await given.two.say(honest, { kind: 'panes', panes: [] });
  await given.play(() => given.told.includes('honest leave-place'));

  expect(given.row).toMatchObject({
    machineId: liar.id,
    state: { move: { kind: 'none' }, lifecycle: { status: 'working' } },
  });
  expect(given.row.options.chosen?.machine?.why).toMatch(/^it was moved there from "honest" by recovery, because ./u);
  const own = given.told.filter((one) => /open|freeze|restore|let-in/u.test(one));
  expect(own).toEqual(['honest open', 'honest freeze', 'liar restore', 'liar let-in', 'liar open']);
  const asked = await ctx.store.listEscalations({ status: ['open'], limit: 10 });
  expect(asked.filter(({ workerId }) => workerId === given.worker.id)).toEqual([]);
});

test.each([
  ['is cordoned', 'cordoned'],
  ['has a worker of that name', 'namesake'],
  ['is silent', 'silent'],
])(
  'given the only other machine %s, when a worker cannot go on where it is, then it is not moved there',
  async (_what, why) => {
    const nature = new Nature();
    const given = new Moving(await twoMachines(nature), nature);
    const { honest, liar, ctx } = given.two;
    given.ends = (kind) =>
      kind === 'open' ? { kind: 'failed', code: 'server-busy', message: 'no server running', retry: false } : null;
    await given.play(() => given.told.includes('honest deliver'));
    if (why === 'cordoned')
      await ctx.store.transaction((tx) => tx.saveCordon(liar.id, { since: 1, by: 'mia', drain: null }));
    if (why === 'namesake') await addNamesake(given);
    if (why === 'silent') nature.now += 60_000;
    await ctx.store.touchMachine(sessionOf(honest), ctx.clock.now());

    await given.two.say(honest, { kind: 'panes', panes: [] });
    await given.play(() => given.row.state.lifecycle.status === 'error');

    expect(given.row).toMatchObject({
      machineId: honest.id,
      state: { move: { kind: 'none' }, lifecycle: { status: 'error' } },
    });
    expect(given.told).not.toContain('honest freeze');
  },
);

function sessionOf({ id, epoch, agentEpoch }: Machine) {
  return { machineId: id, epoch, agentEpoch };
}
