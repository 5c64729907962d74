/** Projects are added, changed and removed without harm to workers, and the named one is never guessed. */
import type { Actor, ProjectFleet } from '@drover/api';
import { createMemoryStore, MemoryDatabase } from '@drover/store/testing';
import { expect, test } from 'vitest';
import { Waiters } from '../../src/context/waiters.ts';
import { createProjectFleet } from '../../src/use-cases/projects/fleet.ts';
import { createQueueFleet } from '../../src/use-cases/queue/queue.ts';
import { createTaskFleet } from '../../src/use-cases/tasks/fleet.ts';
import { addWorker } from '../../src/use-cases/workers/add.ts';
import { findByName, EVERYTHING, readRoster } from '../../src/facts/workers/find.ts';
import { contextOf, Nature, sayHello, withWorkers } from '../support/scene.ts';

const ANN: Actor = { kind: 'person', id: 'ann', name: 'ann', role: 'admin', project: null, worker: null };
const URL = 'git@example.com:team/yard.git';
const YARD = { name: 'yard', source: URL, branch: 'main', home: null, checks: 'none' } as const;

/** Builds the project `shop` of a root with the worker `adam` on the machine `laptop`. */
async function fleet() {
  const database = new MemoryDatabase();
  const nature = new Nature();
  const ctx = contextOf(createMemoryStore({ database, sleep: () => Promise.resolve(), random: () => 0 }), nature);
  const [adam] = await withWorkers(ctx, ['adam']);
  if (adam === undefined) throw new Error('no worker');
  await sayHello(ctx, adam, nature.uuid());
  const projects = createProjectFleet(ctx);
  const add = (name: string, more: { project?: string; machine?: string } = {}) =>
    addWorker(ctx, {
      input: { requestId: nature.uuid(), name, ...more },
      defaults: () => ({ ...adam.options, profiles: ['claude'] }),
      by: ANN,
    });
  return { ctx, nature, database, adam, projects, add };
}

test('given a project that is added, when it is shown, changed and added again, then it is what was said last, once', async () => {
  const { projects, database } = await fleet();

  const added = await projects.addProject(YARD, ANN);
  const again = await projects.addProject(YARD, ANN);
  const other = await projects.addProject({ ...YARD, branch: 'develop' }, ANN);
  const edited = await projects.editProject({ name: 'yard', branch: 'develop', checks: 'repository' }, ANN);

  expect(added).toMatchObject({ kind: 'ok', value: { name: 'yard', source: URL, home: null, root: null } });
  expect(again).toEqual(added);
  expect(other).toMatchObject({ kind: 'refused', code: 'name-taken' });
  expect(edited).toMatchObject({ kind: 'ok', value: { defaultBranch: 'develop', checks: 'repository', source: URL } });
  expect((await projects.listProjects(ANN)).map(({ name }) => name)).toEqual(['shop', 'yard']);
  const told = [...database.audit.values()].map(({ body }) => JSON.parse(body).action);
  expect(told).toEqual(['project-added', 'project-changed']);
});

test.each([
  [
    'a directory without a machine',
    { source: '/srv/yard' },
    'invalid',
    'with --home or as repo.home of the file; there are: laptop',
  ],
  ['a directory of a machine that is not there', { source: '/srv/yard', home: 'attic' }, 'not-found', 'attic'],
  ['an address with a machine', { home: 'laptop' }, 'invalid', 'address'],
])('given %s, when a project is added, then it is refused and says what helps', async (_, change, code, word) => {
  const { projects } = await fleet();

  const refused = await projects.addProject({ ...YARD, ...change }, ANN);

  expect(refused).toMatchObject({ kind: 'refused', code, message: expect.stringContaining(word) });
  expect(await projects.listProjects(ANN)).toHaveLength(1);
});

test('given projects with workers, with waiting work, and of a root, when they are changed or removed, then nothing of them is lost', async () => {
  const scene = await fleet();
  const { projects, add, ctx, nature } = scene;
  await projects.addProject(YARD, ANN);
  await add('bea', { project: 'yard' });
  const queue = createQueueFleet(ctx);

  expect(await projects.editProject({ name: 'shop', branch: 'x' }, ANN)).toMatchObject({ code: 'of-a-root' });
  expect(await projects.editProject({ name: 'yard', branch: 'x' }, ANN)).toMatchObject({ code: 'has-workers' });
  expect(await projects.editProject({ name: 'yard', checks: 'repository' }, ANN)).toMatchObject({ kind: 'ok' });
  expect(await projects.removeProject({ name: 'yard' }, ANN)).toMatchObject({ code: 'has-workers' });
  expect(await projects.removeProject({ name: 'barn' }, ANN)).toMatchObject({ code: 'not-found' });
  await projects.addProject({ ...YARD, name: 'barn' }, ANN);
  await queue.addToQueue({ requestId: nature.uuid(), project: 'barn', priority: 'S2', prompt: 'x' }, ANN);
  expect(await projects.removeProject({ name: 'barn' }, ANN)).toMatchObject({ code: 'has-queue' });
});

test('given a project that was removed, when one of its name is added, then it is that project again with its history', async () => {
  const { projects, add } = await fleet();
  const before = await projects.addProject(YARD, ANN);

  expect(await projects.removeProject({ name: 'yard' }, ANN)).toMatchObject({ kind: 'ok' });
  const listed = (await projects.listProjects(ANN)).map(({ name }) => name);
  const refused = await add('bea', { project: 'yard' });
  const after = await projects.addProject({ ...YARD, branch: 'develop' }, ANN);

  expect(listed).toEqual(['shop']);
  expect(refused).toMatchObject({ kind: 'refused', code: 'not-found' });
  expect(idOf(after)).toBe(idOf(before));
  expect(after).toMatchObject({ kind: 'ok', value: { defaultBranch: 'develop' } });
});

function idOf(outcome: Awaited<ReturnType<ProjectFleet['addProject']>>): string {
  if (outcome.kind !== 'ok') throw new Error(outcome.message);
  return outcome.value.id;
}

test('given two projects, when a worker, a task or work for the queue says none of them, then it is asked for', async () => {
  const { projects, add, ctx, nature } = await fleet();
  await projects.addProject(YARD, ANN);
  const tasks = createTaskFleet(ctx, { commands: new Waiters(), events: new Waiters() });
  const queue = createQueueFleet(ctx);
  const message = expect.stringContaining('--project: shop, yard');

  const refusals = [
    await add('bea'),
    await tasks.start({ requestId: nature.uuid(), prompt: 'x' }, ANN),
    await queue.addToQueue({ requestId: nature.uuid(), priority: 'S2', prompt: 'x' }, ANN),
  ];

  for (const one of refusals) expect(one).toMatchObject({ kind: 'refused', code: 'invalid', message });
  expect(await add('bea', { project: 'yard' })).toMatchObject({ kind: 'ok', value: { worker: { project: 'yard' } } });
  const queued = await queue.addToQueue(
    { requestId: nature.uuid(), project: 'yard', priority: 'S2', prompt: 'x' },
    ANN,
  );
  expect(queued).toMatchObject({ kind: 'ok', value: { project: 'yard' } });
  const started = await tasks.start({ requestId: nature.uuid(), project: 'yard', prompt: 'x' }, ANN);
  expect(started).toMatchObject({
    kind: 'refused',
    code: 'no-idle-worker',
    message: expect.not.stringContaining('adam'),
  });
});

test('given two projects with a worker of one name, when it is named, then the project is asked for', async () => {
  const { projects, add, ctx, adam } = await fleet();
  await projects.addProject(YARD, ANN);

  expect(await add('adam', { project: 'yard' })).toMatchObject({ value: { worker: { machine: 'laptop' } } });

  const roster = await readRoster(ctx, EVERYTHING);
  expect(findByName(roster, 'adam')).toMatchObject({
    code: 'invalid',
    message: 'There are several workers "adam": choose one of shop/adam, yard/adam',
  });
  expect(findByName(roster, 'shop/adam')).toMatchObject({ row: { id: adam.id } });
  expect(findByName(roster, 'yard/adam')).toMatchObject({ row: { name: 'adam' } });
  expect(findByName(roster, 'barn/adam')).toMatchObject({ code: 'not-found' });
});
