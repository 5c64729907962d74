/** Two people ask at the same moment, and the second request is decided on the state after the first. On scripted machines. */
import { workerOptions } from '@drover/store/testing';
import { expect, test } from 'vitest';
import { Waiters } from '../../src/context/waiters.ts';
import type { Context } from '../../src/context/context.ts';
import { createCheckpoint } from '../../src/use-cases/checkpoints/checkpoints.ts';
import { createMachineFleet } from '../../src/use-cases/machines/machines.ts';
import { askOnce } from '../../src/facts/machines/query.ts';
import { createProjectFleet } from '../../src/use-cases/projects/fleet.ts';
import { createQueueFleet } from '../../src/use-cases/queue/queue.ts';
import { createTaskFleet } from '../../src/use-cases/tasks/fleet.ts';
import { createWorkerFleet } from '../../src/use-cases/workers/fleet.ts';
import { beside } from '../support/beside.ts';
import { emptied, MIA, nameOf, WAITERS } from '../support/placing.ts';

type Given = Awaited<ReturnType<typeof emptied>>;

const YARD = {
  name: 'yard',
  source: 'https://example.com/yard.git',
  branch: 'main',
  home: null,
  checks: 'none',
} as const;
const APPLIED = { ...YARD, toml: '', from: '/srv/yard/drover.toml', force: false, dryRun: false } as const;

function workersOf(ctx: Context) {
  return createWorkerFleet(ctx, { ...WAITERS, defaults: () => ({ ...workerOptions(), profiles: ['sim'] }) });
}

/** Removes the worker, as after its machine has removed it. */
async function forget({ ctx, rowOf }: Given, name: string): Promise<void> {
  const { id } = rowOf(name);
  await ctx.store.transaction((tx) => tx.deleteWorker(id));
}

const refused = (code: string): unknown => expect.objectContaining({ kind: 'refused', code });

test('given a project that gets a document while a person edits it, when the edit is decided, then the document is kept', async () => {
  const { ctx } = await emptied();
  const projects = createProjectFleet(ctx);
  await projects.addProject(YARD, MIA);
  const late = createProjectFleet(beside(ctx, () => projects.applyProject(APPLIED, MIA)));

  const edited = await late.editProject({ name: 'yard', checks: 'repository', branch: 'other' }, MIA);

  expect(edited).toEqual(refused('of-a-root'));
  expect(await projects.project({ name: 'yard' }, MIA)).toMatchObject({
    value: { appliedFrom: APPLIED.from, defaultBranch: 'main' },
  });
});

test('given a directory that becomes an address while a person names its machine, when that is decided, then an address has no home', async () => {
  const { ctx } = await emptied();
  const projects = createProjectFleet(ctx);
  await projects.addProject({ ...YARD, source: '/srv/yard', home: 'honest' }, MIA);
  const moved = { name: 'yard', source: YARD.source, home: null };
  const late = createProjectFleet(beside(ctx, () => projects.editProject(moved, MIA)));

  expect(await late.editProject({ name: 'yard', home: 'liar' }, MIA)).toEqual(refused('invalid'));
  expect(await projects.project({ name: 'yard' }, MIA)).toMatchObject({ value: { source: YARD.source, home: null } });
});

test('given a project that is removed while a person gives it work, when that is decided, then nothing waits in its queue', async () => {
  const { ctx, two, id } = await emptied();
  const projects = createProjectFleet(ctx);
  await projects.addProject(YARD, MIA);
  const late = createQueueFleet(beside(ctx, () => projects.removeProject({ name: 'yard' }, MIA)));

  const added = await late.addToQueue({ requestId: id(), project: 'yard', priority: 'S3', prompt: 'paint it' }, MIA);

  expect(added).toEqual(refused('no-project'));
  expect([...two.database.queueItems.values()]).toEqual([]);
});

test('given a worker that is being removed by force, when a task asks for any, then another one gets it', async () => {
  const given = await emptied();
  await given.idle('adam', { machine: 'honest' });
  await given.idle('bea', { machine: 'liar' });
  const nuke = (): Promise<unknown> =>
    workersOf(given.ctx).nuke({ requestId: given.id(), name: 'adam', force: true }, MIA);
  const late = createTaskFleet(beside(given.ctx, nuke), WAITERS);

  const chosen = await late.start({ requestId: given.id(), prompt: 'do it' }, MIA);
  const none = await given.start();

  expect(nameOf(chosen)).toBe('bea on liar');
  expect(none).toEqual(refused('no-idle-worker'));
  expect(nameOf(none)).toContain('adam is being removed');
});

test('given a worker that is gone when its task is decided, when the task names it, then the person is told, and no task stays', async () => {
  const given = await emptied();
  await given.idle('adam');
  const late = createTaskFleet(
    beside(given.ctx, () => forget(given, 'adam')),
    WAITERS,
  );

  const started = await late.start({ requestId: given.id(), name: 'adam', prompt: 'do it' }, MIA);

  expect(started).toEqual(refused('not-found'));
  expect(await given.ctx.store.listTasks({ workerName: 'adam', limit: 5 })).toEqual([]);
});

test('given a worker at a task, when a second task names it, then that is refused, and does not wait for ever', async () => {
  const given = await emptied();
  await given.idle('adam');
  await given.start();
  const second = given.id();

  const started = await createTaskFleet(given.ctx, WAITERS).start(
    { requestId: second, name: 'adam', prompt: 'and this' },
    MIA,
  );

  expect(started).toMatchObject({ kind: 'refused' });
  const tasks = await given.ctx.store.listTasks({ workerName: 'adam', limit: 5 });
  expect(tasks.find(({ id }) => id === second)?.status).toBe('ended');
});

test('given a removal that is asked for again after a lost answer, when a namesake came since, then the namesake stays', async () => {
  const given = await emptied();
  const workers = workersOf(given.ctx);
  await given.idle('adam');
  const nuke = { requestId: given.id(), name: 'adam', force: true };
  await workers.nuke(nuke, MIA);
  await forget(given, 'adam');
  await given.idle('adam');

  const again = await workers.nuke(nuke, MIA);

  expect(again).toEqual(refused('not-found'));
  expect(given.rowOf('adam').state.lifecycle.wanted).toBe('up');
});

test('given a checkpoint that is waited for, when its worker is removed, then the person is told at once', async () => {
  const given = await emptied();
  await given.idle('adam');
  const store: Context['store'] = {
    ...given.ctx.store,
    readCheckpoint: async (id) => {
      await forget(given, 'adam');
      return given.ctx.store.readCheckpoint(id);
    },
  };

  const made = await createCheckpoint(
    { ...given.ctx, store },
    { events: new Waiters(), commands: new Waiters() },
    {
      requestId: given.id(),
      worker: 'adam',
      by: MIA,
    },
  );

  expect(made).toEqual(refused('not-found'));
});

test('given a worker that is being removed, when one of its name is added, then the person is told to repeat it later', async () => {
  const given = await emptied();
  await given.idle('adam');
  await workersOf(given.ctx).nuke({ requestId: given.id(), name: 'adam', force: true }, MIA);

  const added = await workersOf(given.ctx).add({ requestId: given.id(), name: 'adam' }, MIA);

  expect(added).toMatchObject({
    code: 'name-taken',
    message: expect.stringContaining('repeat the command when it is gone'),
  });
});

test('given a worker that was removed, when the request that added it comes again, then no worker without a session is made', async () => {
  const given = await emptied();
  const add = { requestId: given.id(), name: 'adam' };
  await workersOf(given.ctx).add(add, MIA);
  await forget(given, 'adam');

  expect(await workersOf(given.ctx).add(add, MIA)).toEqual(refused('not-found'));
  expect(await given.ctx.store.listWorkers()).toEqual([]);
});

test('given a request that adds a worker, when it is repeated before its first try has ended, then both have the one worker', async () => {
  const given = await emptied();
  const add = { requestId: given.id(), name: 'adam' };
  const workers = workersOf(given.ctx);

  const answers = await Promise.all([workers.add(add, MIA), workers.add(add, MIA)]);

  expect(answers).toMatchObject([add, add].map(({ name }) => ({ kind: 'ok', value: { worker: { name } } })));
  expect(await given.ctx.store.listWorkers()).toHaveLength(1);
});

test('given a worker at a task, when its machine is removed with it, then the task has ended', async () => {
  const given = await emptied();
  await given.idle('adam', { machine: 'honest' });
  await given.start();

  const removed = await createMachineFleet(given.ctx).removeMachine({ name: 'honest', force: true }, MIA);

  expect(removed).toMatchObject({ kind: 'ok', value: { workers: ['adam'] } });
  const tasks = await given.ctx.store.listTasks({ workerName: 'adam', limit: 5 });
  expect(tasks.map(({ status }) => status)).toEqual(['ended']);
});

test('given a worker that comes to a machine while that is removed, when it is decided, then both are told, and it is named', async () => {
  const given = await emptied();
  const { ctx } = given;
  const late = createMachineFleet(beside(ctx, () => given.add('adam', { machine: 'honest' })));

  const removed = await late.removeMachine({ name: 'honest', force: false }, MIA);

  expect(removed).toMatchObject({
    kind: 'refused',
    code: 'has-workers',
    message: expect.stringContaining('1 worker(s): adam'),
  });
});

test('given a worker on its way to a machine, when that is removed without force, then it is refused', async () => {
  const given = await emptied();
  const { ctx, two } = given;
  const adam = await given.idle('adam', { machine: 'honest' });
  const [from, to] = [two.honest, two.liar].map(({ id, name }) => ({ id, name })) as [
    typeof two.honest,
    typeof two.liar,
  ];
  const move = { kind: 'leaving', route: { id: given.id(), from, to } } as const;
  await ctx.store.transaction((tx) => tx.saveWorker({ ...adam, state: { ...adam.state, move } }, ctx.clock.now()));

  expect(await createMachineFleet(ctx).removeMachine({ name: 'liar', force: false }, MIA)).toEqual(
    refused('has-workers'),
  );
});

test('given a machine that is removed before it is asked, when the question is written down, then the answer says that it is gone', async () => {
  const given = await emptied();
  const { ctx, two } = given;
  const adam = await given.idle('adam', { machine: 'honest' });
  await createMachineFleet(ctx).removeMachine({ name: 'liar', force: true }, MIA);

  const answer = await askOnce(
    ctx,
    { commands: new Waiters() },
    {
      row: { ...adam, machineId: two.liar.id },
      query: { kind: 'expect', move: null },
      id: given.id(),
      timeoutMs: 1,
      until: ctx.clock.now(),
    },
  );

  expect(answer).toMatchObject({ kind: 'failed', message: expect.stringContaining('no longer in the fleet') });
});
