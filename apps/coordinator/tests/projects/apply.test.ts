/** The fleet follows a project's document: whole, once, and only where no worker is harmed. */
import type { Actor } from '@drover/api';
import { createMemoryStore, MemoryDatabase } from '@drover/store/testing';
import { expect, test } from 'vitest';
import { drainDueWork } from '../../src/due/drain.ts';
import type { Context } from '../../src/context/context.ts';
import { createProjectFleet } from '../../src/use-cases/projects/fleet.ts';
import { addWorker } from '../../src/use-cases/workers/add.ts';
import type { WorkerDefaults } from '../../src/facts/workers/defaults.ts';
import { createSettingsFleet } from '../../src/use-cases/workers/show.ts';
import { beside } from '../support/beside.ts';
import { contextOf, Nature, sayHello, withWorkers } from '../support/scene.ts';

const ANN: Actor = { kind: 'person', id: 'ann', name: 'ann', role: 'admin', project: null, worker: null };
const TOML = '[repo]\nvalidate = [["make", "test"]]\n[defaults]\nmodel = "small"\n[policy.crash]\ncountMax = 5\n';
const DOCUMENT = {
  name: 'yard',
  source: 'git@example.com:team/yard.git',
  branch: 'main',
  toml: TOML,
  from: '/home/ann/yard/drover.toml',
  force: false,
  dryRun: false,
};

/** Builds the project `shop` of a root with the worker `adam`, on the machine `laptop`. */
async function fleet() {
  const database = new MemoryDatabase();
  const nature = new Nature();
  const ctx = contextOf(createMemoryStore({ database, sleep: () => Promise.resolve(), random: () => 0 }), nature);
  const [adam] = await withWorkers(ctx, ['adam']);
  if (adam === undefined) throw new Error('no worker');
  await sayHello(ctx, adam, nature.uuid());
  const own = (): WorkerDefaults => ({ ...adam.options, model: 'of-the-coordinator', profiles: ['claude'] });
  const projects = createProjectFleet(ctx);
  const settings = createSettingsFleet(ctx, { defaults: own });
  const add = (name: string, project: string) =>
    addWorker(ctx, { input: { requestId: nature.uuid(), name, project }, defaults: own, by: ANN });
  const modelOf = async (name: string) => {
    const shown = await settings.showWorker({ name }, ANN);
    return shown.kind === 'ok' ? shown.value.settings.find((one) => one.name === 'model')?.value : shown.message;
  };
  return { ctx, nature, own, database, projects, add, modelOf };
}

test('given a document, when it is tried, applied and applied again, then it says what changes, changes it, and changes nothing', async () => {
  const { projects, database } = await fleet();

  const tried = await projects.applyProject({ ...DOCUMENT, dryRun: true }, ANN);
  const names = (await projects.listProjects(ANN)).map(({ name }) => name);
  const applied = await projects.applyProject(DOCUMENT, ANN);
  const again = await projects.applyProject({ ...DOCUMENT, from: '/elsewhere/drover.toml' }, ANN);

  expect(names).toEqual(['shop']);
  expect(tried).toMatchObject({ kind: 'ok', value: { outcome: 'added', dryRun: true } });
  expect(applied).toMatchObject({
    kind: 'ok',
    value: {
      outcome: 'added',
      changes: expect.arrayContaining([
        { key: 'validate', before: null, after: '[["make","test"]]' },
        { key: 'policy.project.crash.countMax', before: null, after: '5' },
        { key: 'workers.defaults.model', before: null, after: '"small"' },
      ]),
    },
  });
  expect(again).toMatchObject({ kind: 'ok', value: { outcome: 'unchanged', changes: [], workers: [] } });
  expect(await projects.project({ name: 'yard' }, ANN)).toMatchObject({
    value: { checks: 'config', root: null, appliedFrom: DOCUMENT.from },
  });
  expect([...database.audit.values()].map(({ body }) => JSON.parse(body).action)).toEqual(['project-added']);
});

test('given a new project with a name that commands would take for an option, when its document is applied, then it is refused', async () => {
  const { projects } = await fleet();

  const applied = await projects.applyProject({ ...DOCUMENT, name: '--yard', force: true }, ANN);

  expect(applied).toMatchObject({
    kind: 'refused',
    code: 'invalid',
    message: expect.stringContaining('must not start with a dash'),
  });
  expect((await projects.listProjects(ANN)).map(({ name }) => name)).toEqual(['shop']);
});

test('given workers of two projects, when the document of one changes, then only its workers follow, and the others the coordinator', async () => {
  const { projects, add, modelOf } = await fleet();
  await projects.applyProject(DOCUMENT, ANN);
  await add('constructor', 'yard');
  await add('eva', 'shop');
  const before = await modelOf('constructor');
  const toml = `${TOML}[workers.constructor]\nmodel = "large"\n`;

  const tried = await projects.applyProject({ ...DOCUMENT, toml, dryRun: true }, ANN);
  const untouched = await modelOf('constructor');
  const applied = await projects.applyProject({ ...DOCUMENT, toml }, ANN);

  expect(before).toBe('small');
  expect(untouched).toBe('small');
  for (const outcome of [tried, applied])
    expect(outcome).toMatchObject({ value: { workers: ['constructor: model (from its next start)'] } });
  expect(await modelOf('constructor')).toBe('large');
  expect(await modelOf('eva')).toBe('of-the-coordinator');
});

test('given workers on commits of a source, when a document names another, then it is refused, but where the repository only moved', async () => {
  const { projects, add } = await fleet();
  await projects.applyProject(DOCUMENT, ANN);
  await add('eva', 'yard');
  const moved = { ...DOCUMENT, source: 'git@example.org:team/yard.git' };

  expect(await projects.applyProject(moved, ANN)).toMatchObject({ kind: 'refused', code: 'has-workers' });
  expect(await projects.applyProject({ ...moved, force: true }, ANN)).toMatchObject({
    value: { outcome: 'changed', changes: [{ key: 'source' }] },
  });
});

test('given the project of a root, a file that is wrong and a directory without a home, when they are applied, then each is refused with what to do', async () => {
  const { projects } = await fleet();
  const apply = (change: Partial<typeof DOCUMENT>) => projects.applyProject({ ...DOCUMENT, ...change }, ANN);

  expect(await apply({ name: 'shop' })).toMatchObject({
    code: 'of-a-root',
    message: expect.stringContaining('--force'),
  });
  expect(await apply({ toml: '[defaults]\nmodle = "x"\n' })).toMatchObject({
    code: 'invalid',
    message: expect.stringContaining('/home/ann/yard/drover.toml:2: defaults.modle is not an option'),
  });
  expect(await apply({ source: '/srv/yard' })).toMatchObject({
    code: 'invalid',
    message: expect.stringContaining('laptop'),
  });
  expect(await projects.listProjects(ANN)).toHaveLength(1);
});

test('given a project that was applied, when a person edits it by hand, then the document is named, which would win', async () => {
  const { projects } = await fleet();
  await projects.applyProject(DOCUMENT, ANN);

  const edited = await projects.editProject({ name: 'yard', checks: 'none' }, ANN);

  expect(edited).toMatchObject({ code: 'of-a-root', message: expect.stringContaining(DOCUMENT.from) });
});

/** Wraps the fleet so that a document is applied just before a transaction, once. */
function applying({ ctx, projects }: Awaited<ReturnType<typeof fleet>>, toml: string): Context {
  return beside(ctx, () => projects.applyProject({ ...DOCUMENT, toml }, ANN));
}

test('given a document that is applied while a worker is added or edited, when both are done, then the worker follows it', async () => {
  const given = await fleet();
  const { own, projects, modelOf } = given;
  await projects.applyProject(DOCUMENT, ANN);
  const input = { requestId: given.ctx.ids.uuid(), name: 'bea', project: 'yard' };

  await addWorker(applying(given, TOML.replace('small', 'large')), { input, defaults: own, by: ANN });
  const added = await modelOf('yard/bea');
  const editing = createSettingsFleet(applying(given, TOML.replace('small', 'huge')), { defaults: own });
  await editing.editWorker({ name: 'yard/bea', role: 'tester', follow: [] }, ANN);

  expect(added).toBe('large');
  expect(await modelOf('yard/bea')).toBe('huge');
});

function killed(): Promise<never> {
  return Promise.reject(new Error('killed'));
}

test('given a coordinator that dies between a document and its workers, when another does what is due, then they follow it', async () => {
  const { ctx, nature, projects, add, modelOf } = await fleet();
  await projects.applyProject(DOCUMENT, ANN);
  await add('eva', 'yard');
  const dying = createProjectFleet({ ...ctx, store: { ...ctx.store, listWorkers: killed } });

  await expect(dying.applyProject({ ...DOCUMENT, toml: TOML.replace('small', 'large') }, ANN)).rejects.toThrow(
    'killed',
  );
  const before = await modelOf('eva');
  nature.now += 60_000;
  await drainDueWork(ctx);

  expect(before).toBe('small');
  expect(await modelOf('eva')).toBe('large');
});
