/** Placement of work, by every way that it comes, with its reason. On scripted machines. */
import { expect, test } from 'vitest';
import type { Project, WorkerOptions } from '@drover/store';
import { workerOptions } from '@drover/store/testing';
import type { Context } from '../../src/context/context.ts';
import { createMachineFleet } from '../../src/use-cases/machines/machines.ts';
import { moveWorker } from '../../src/use-cases/moves/move.ts';
import { takeItem } from '../../src/use-cases/queue/take.ts';
import { createTaskFleet } from '../../src/use-cases/tasks/fleet.ts';
import { createWorkerFleet } from '../../src/use-cases/workers/fleet.ts';
import { justBefore } from '../support/beside.ts';
import { emptied, MIA, nameOf, WAITERS } from '../support/placing.ts';

test('given machines with labels, when workers ask for some, then they go where all are, and the refusal says who lacks what', async () => {
  const given = await emptied();
  await given.label('honest', ['eu', 'gpu']);
  await given.label('liar', ['eu']);
  await given.add('near', { machine: 'honest' });

  const placed = await given.add('adam', { labels: ['eu', 'gpu'] });
  const nowhere = await given.add('bea', { labels: ['arm'] });
  const named = await given.add('cleo', { labels: ['gpu'], machine: 'liar' });
  const moved = await moveWorker(given.ctx, WAITERS, {
    requestId: given.id(),
    name: 'adam',
    machine: 'liar',
    dryRun: true,
    by: MIA,
  });

  expect(nameOf(placed)).toBe('adam on honest');
  expect(await given.about('adam')).toEqual(
    expect.arrayContaining([
      'It is on "honest": it is the only machine that can take it',
      'It goes only to machines with the label eu, gpu',
    ]),
  );
  expect(nameOf(nowhere)).toContain(
    'No machine can take bea: "honest" does not have the label arm; "liar" does not have the label arm',
  );
  const refused = { kind: 'refused', code: 'label', message: expect.stringContaining('drover machine label') };
  expect([named, moved]).toEqual([refused, refused]);
});

test('given one place that is left, when two workers are added at once, then one gets it, and the other is told', async () => {
  const given = await emptied();
  await given.label('honest', [], 1);
  await given.label('liar', [], 0);

  const both = await Promise.all([given.add('adam'), given.add('bea')]);
  const named = await given.add('cleo', { machine: 'honest' });

  expect(both.map(({ kind }) => kind).toSorted()).toEqual(['ok', 'refused']);
  expect(named).toMatchObject({ kind: 'refused', code: 'full', message: expect.stringContaining('1 of 1 workers') });
  expect(
    [...given.two.database.workers.values()].filter(({ machineId }) => machineId === given.two.honest.id),
  ).toHaveLength(1);
});

/** Wraps the fleet so that a machine closes just before each transaction. */
function closing({ ctx }: Awaited<ReturnType<typeof emptied>>, name: string): Context {
  return justBefore(ctx, () => createMachineFleet(ctx).cordonMachine({ name }, MIA));
}

test('given a machine that is cordoned between choice and deed, when a worker or a task comes, then it gets none of them', async () => {
  const given = await emptied();
  await given.idle('adam', { machine: 'honest' });
  await given.label('liar', [], 2);
  const ctx = closing(given, 'honest');
  const workers = createWorkerFleet(ctx, { ...WAITERS, defaults: () => ({ ...workerOptions(), profiles: ['sim'] }) });
  await createMachineFleet(given.ctx).uncordonMachine({ name: 'honest' }, MIA);
  const started = await createTaskFleet(ctx, WAITERS).start(
    { requestId: given.id(), name: 'adam', prompt: 'do it' },
    MIA,
  );
  await createMachineFleet(given.ctx).uncordonMachine({ name: 'honest' }, MIA);
  await given.add('bea', { machine: 'liar' });

  const added = await workers.add({ requestId: given.id(), name: 'cleo' }, MIA);
  await createMachineFleet(given.ctx).uncordonMachine({ name: 'honest' }, MIA);
  const named = await workers.add({ requestId: given.id(), name: 'dora', machine: 'honest' }, MIA);

  expect(started).toMatchObject({ kind: 'refused', code: 'cordoned' });
  expect(nameOf(added)).toBe('cleo on liar');
  expect(named).toMatchObject({ kind: 'refused', code: 'cordoned' });
});

test('given two projects, when each adds a worker of one name at once, then no machine gets both', async () => {
  const given = await emptied();
  const { ctx } = given;
  const [first] = await ctx.store.listProjects();
  await ctx.store.upsertProject({ ...(first as Project), id: given.id(), name: 'other' }, 0);
  const workers = createWorkerFleet(ctx, { ...WAITERS, defaults: () => ({ ...workerOptions(), profiles: ['sim'] }) });

  const names = [first?.name ?? '', 'other', first?.name ?? '', 'other'];
  const added = await Promise.all(
    names.map((project, index) =>
      workers.add({ requestId: given.id(), name: index < 2 ? 'adam' : 'bea', project }, MIA),
    ),
  );

  expect(added.map(({ kind }) => kind)).toEqual(['ok', 'ok', 'ok', 'ok']);
  for (const name of ['adam', 'bea']) {
    const rows = [...given.two.database.workers.values()].filter((row) => row.name === name);
    expect(new Set(rows.map(({ machineId }) => machineId)).size).toBe(2);
  }
});

test('given a worker whose account is paused, when tasks come, then those that can begin get them, and nobody waits unasked', async () => {
  const given = await emptied();
  const adam = await given.idle('adam', { machine: 'honest' });
  await given.idle('bea', { machine: 'liar' });
  await given.pauseAccountOf(adam);

  const first = await given.start();
  const second = await given.start();
  const added = await given.add('cleo');
  const item = await given.queue.addToQueue({ requestId: given.id(), priority: 'S2', prompt: 'later' }, MIA);
  const taken = await given.ctx.store.transaction((tx) => takeItem(given.ctx, tx));

  expect(nameOf(first)).toBe('bea on liar');
  expect(await given.about('bea')).toContainEqual(
    'It got its task because it is the only idle worker that can take it',
  );
  expect(second).toMatchObject({ kind: 'refused', code: 'no-idle-worker' });
  expect(nameOf(second)).toMatch(/adam would wait: its account is paused for another .*; bea is working/);
  expect(nameOf(added)).toBe('cleo on liar');
  expect(taken).toBeNull();
  expect(item.kind === 'ok' && item.value.nowhere).toMatch(/adam would wait/);
});

test('given an S0 item that waits, when a person starts something new, then the worker that it needs is left to it', async () => {
  const given = await emptied();
  await given.idle('adam');
  await given.idle('bea');
  await given.queue.addToQueue({ requestId: given.id(), priority: 'S0', prompt: 'the build is broken' }, MIA);

  const first = await given.start();
  const second = await given.start();
  await given.ctx.store.transaction((tx) => takeItem(given.ctx, tx));

  expect(first.kind).toBe('ok');
  expect(nameOf(second)).toContain('The most urgent work comes first (S0: "the build is broken")');
  const prompts = ['adam', 'bea']
    .map((name) => given.rowOf(name).state.task)
    .map((task) => 'prompt' in task && task.prompt);
  expect(prompts.toSorted()).toEqual(['do it', 'the build is broken']);
});

test('given work for a role, when it comes, then only a worker of that role gets it', async () => {
  const given = await emptied();
  await given.idle('adam');

  const nobody = await given.start({ role: 'reviewer' });
  await given.idle('rita', { role: 'reviewer' });
  const rita = await given.start({ role: 'reviewer' });
  const item = await given.queue.addToQueue(
    { requestId: given.id(), priority: 'S1', prompt: 'read it', role: 'reviewer' },
    MIA,
  );
  await given.ctx.store.transaction((tx) => takeItem(given.ctx, tx));

  expect(nameOf(nobody)).toContain('adam is a developer');
  expect(nameOf(rita)).toMatch(/^rita on/);
  expect(item).toMatchObject({ value: { role: 'reviewer', nowhere: 'adam is a developer; rita is working' } });
  expect(given.rowOf('adam').state.task.kind).toBe('none');
});

test('given workers without a role and labels, when work is placed, then they are developers that anybody can place', async () => {
  const given = await emptied();
  const adam = await given.idle('adam');
  const { role: _role, labels: _labels, chosen: _chosen, ...plain } = adam.options;
  const options: WorkerOptions = plain;
  await given.ctx.store.transaction(async (tx) => {
    const row = await tx.lockWorker(adam.id);
    if (row !== null) await tx.saveWorker({ ...row, options }, given.ctx.clock.now());
  });

  expect(nameOf(await given.start({ role: 'developer' }))).toMatch(/^adam on/);
});

test('given one machine whose checkout failed and whose account is paused, when a worker is added, then it goes there and is told what it waits for', async () => {
  const given = await emptied();
  const { ctx, two } = given;
  await given.label('liar', [], 0);
  const adam = await given.add('adam');
  const error = { code: 'clone-failed', message: 'no access to the repository' };
  await ctx.store.transaction((tx) =>
    tx.saveCheckout(
      { machineId: two.honest.id, projectId: given.rowOf('adam').projectId },
      { root: '/w/shop', state: 'failed', error, at: 1 },
    ),
  );
  await given.pauseAccountOf(given.rowOf('adam'));

  const bea = await given.add('bea');

  expect(adam).toMatchObject({ kind: 'ok', value: { worker: { name: 'adam' } } });
  expect(adam.kind === 'ok' && adam.value.note).toBeUndefined();
  expect(nameOf(bea)).toBe('bea on honest');
  expect(bea.kind === 'ok' && bea.value.note).toMatch(
    /^On honest, its last attempt to clone the project failed \(no access to the repository\), and it tries again, and its account is paused for another .*, and the worker waits for that$/,
  );
  expect(await given.about('bea')).toContainEqual(
    expect.stringMatching(/^It is on "honest": it is the only machine that can take it, though its last attempt/),
  );
});

test('given workers of a project, when some are removed and others come, at once too, then each has a number of its own, the lowest that is free', async () => {
  const given = await emptied();
  const { ctx } = given;
  const workers = createWorkerFleet(ctx, { ...WAITERS, defaults: () => ({ ...workerOptions(), profiles: ['sim'] }) });
  const add = (name: string) => workers.add({ requestId: given.id(), name }, MIA);
  const numbers = () =>
    [...given.two.database.workers.values()].map(({ name, options }) => `${name} ${options.index}`).toSorted();

  await Promise.all(['adam', 'bea', 'cleo'].map(add));
  const first = numbers();
  const bea = [...given.two.database.workers.values()].find(({ options }) => options.index === 1);
  await ctx.store.transaction((tx) => tx.deleteWorker(bea?.id ?? ''));
  await add('dora');
  await add('eve');

  expect(first.map((one) => one.split(' ')[1]).toSorted()).toEqual(['0', '1', '2']);
  expect(numbers()).toContain('dora 1');
  expect(numbers()).toContain('eve 3');
});
