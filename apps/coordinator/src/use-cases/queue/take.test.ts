/** Workers take items, or may not: on a store in memory, one attempt at a time. */
import { inHand, newWorker } from '@drover/core';
import type { TaskInHand, Worker, WorkerStatus } from '@drover/core';
import type { QueueItemRow, WorkerOptions } from '@drover/store';
import { createMemoryStore, MemoryDatabase, workerOptions } from '@drover/store/testing';
import { expect, test } from 'vitest';
import type { Context } from '../../context/context.ts';
import { takeItem } from './take.ts';
import { testContext } from '../../testing/context.ts';

const NOW = 1_000_000;
const BLANK = newWorker();
const TASK: TaskInHand = {
  kind: 'in-hand',
  id: 't',
  prompt: 'p',
  text: 'p',
  startedAt: 0,
  headBefore: null,
  taken: true,
  attempts: 0,
};
const IDLE: Worker = {
  ...BLANK,
  ...inState('idle'),
  session: { ...BLANK.session, pane: { kind: 'up', incarnation: 'i', since: 0, seen: null } },
};

interface Situation {
  readonly worker?: Partial<Worker>;
  readonly options?: Partial<WorkerOptions>;
  readonly item?: Partial<QueueItemRow>;
  readonly take?: boolean;
  /** Limit in the policy of the project. */
  readonly workersPerTaskMax?: number;
  /** Time at which the machine was last heard. */
  readonly seenAt?: number;
  /** Worker at the task in which the item was found. */
  readonly finder?: Partial<Worker>;
}

const FOUND = { class: 'syntax', source: { worker: 'finder', workerId: 'f', task: 't' } } as const;

test('given an idle worker and an item, when the queue is checked, then the worker has the item as its task', async () => {
  const { item, worker } = await takeOnce({});

  expect(item).toMatchObject({ status: 'taken', workerId: 'w', taskId: worker && inHand(worker.state.task)?.id });
  expect(worker?.state).toMatchObject({ lifecycle: { status: 'working' }, task: { prompt: 'do it' } });
});

test.each<[string, Situation]>([
  ['a worker that is excluded from the pool', { options: { excludedFromPool: true } }],
  ['a worker that is at work', { worker: { ...inState('working'), task: TASK } }],
  ['a worker that a person wants down', { worker: { lifecycle: { ...IDLE.lifecycle, wanted: 'down' } } }],
  ['a machine that is silent', { seenAt: NOW - 60_000 }],
  ['a queue from which workers do not take by themselves', { take: false }],
  ['an item of another project', { item: { projectId: 'q' } }],
  ['an item that was dropped', { item: { status: 'dropped' } }],
  ['an item at which two workers failed', { item: { failures: 2 } }],
  ['an item at which one worker failed, where one is the limit', { item: { failures: 1 }, workersPerTaskMax: 1 }],
  [
    'a failed tool whose agent is still working on its task',
    { item: FOUND, finder: { ...inState('working'), task: TASK } },
  ],
  ['a failed tool whose agent waits for a person', { item: FOUND, finder: { ...inState('error'), task: TASK } }],
])('given %s, when the queue is checked, then nothing is taken', async (_, situation) => {
  const { item, before } = await takeOnce(situation);

  expect(item).toEqual(before);
});

test.each<[string, Situation]>([
  ['a failed tool whose task was given up', { item: FOUND }],
  ['an item at which two workers failed, where three may', { item: { failures: 2 }, workersPerTaskMax: 3 }],
  ['an item that no worker has had, where no worker may fail', { workersPerTaskMax: 0 }],
  [
    'a failed tool whose agent is at another task',
    { item: FOUND, finder: { ...inState('working'), task: { ...TASK, id: 'u' } } },
  ],
  [
    'a task that was handed over',
    { item: { ...FOUND, class: 'reassigned' }, finder: { ...inState('error'), task: TASK } },
  ],
])('given %s, when the queue is checked, then it is taken', async (_, situation) => {
  const { item } = await takeOnce(situation);

  expect(item?.status).toBe('taken');
});

test('given urgent work that waits for its finder, when the queue is checked, then less urgent work is taken meanwhile', async () => {
  const { database, ctx } = await given({
    item: { ...FOUND, priority: 'S0' },
    finder: { ...inState('working'), task: TASK },
  });
  database.queueItems.set('j', { ...itemRow({}), id: 'j', dedupeKey: 'j', priority: 'S3' });

  await ctx.store.transaction((tx) => takeItem(ctx, tx));

  expect(database.queueItems.get('j')?.status).toBe('taken');
});

function inState(status: WorkerStatus): Pick<Worker, 'lifecycle'> {
  return { lifecycle: { ...BLANK.lifecycle, status } };
}

async function takeOnce(situation: Situation) {
  const { database, ctx } = await given(situation);
  const before = database.queueItems.get('i');
  await ctx.store.transaction((tx) => takeItem(ctx, tx));
  return { before, item: database.queueItems.get('i'), worker: database.workers.get('w') };
}

async function given({ worker, options, item, take = true, workersPerTaskMax, seenAt = NOW, finder }: Situation) {
  const database = new MemoryDatabase();
  const ctx = contextOn(database, take);
  const own = workersPerTaskMax === undefined ? {} : { incident: { workersPerTaskMax } };
  const policy = { project: own, workers: {} };
  const config = { copyFiles: [], validate: [], validateTimeoutMs: 1, runHooks: false, preamble: '', policy };
  for (const id of ['p', 'q'])
    await ctx.store.upsertProject({ id, name: id, source: '', root: '', defaultBranch: 'main', config }, 1);
  await ctx.store.createJoinToken({ sha256: 't', expiresAt: NOW, now: 1 });
  await ctx.store.joinMachine({ id: 'm', name: 'm', publicKey: 'k', tokenSha256: 't', now: 1 });
  const joined = database.machines.get('m');
  if (joined !== undefined) database.machines.set('m', { ...joined, places: { workspace: '/w', roots: {} } });
  await ctx.store.touchMachine({ machineId: 'm', epoch: 0, agentEpoch: null }, seenAt);
  const settings = { projectId: 'p', machineId: 'm', createdAt: 1 };
  const free = { id: 'w', name: 'w', options: { ...workerOptions(), ...options }, state: { ...IDLE, ...worker } };
  const other = { id: 'f', name: 'finder', options: workerOptions(), state: { ...IDLE, ...finder } };
  await ctx.store.transaction(async (tx) => {
    await tx.insertWorker({ ...settings, ...free });
    if (finder !== undefined) await tx.insertWorker({ ...settings, ...other });
  });
  database.queueItems.set('i', itemRow(item ?? {}));
  return { database, ctx };
}

function itemRow(patch: Partial<QueueItemRow>): QueueItemRow {
  return {
    id: 'i',
    projectId: 'p',
    priority: 'S1',
    title: 'do it',
    body: 'do it',
    class: 'task',
    dedupeKey: 'i',
    source: {},
    actor: { kind: 'policy' },
    status: 'open',
    workerId: null,
    taskId: null,
    failures: 0,
    occurrences: 1,
    createdAt: 1,
    updatedAt: 1,
    ...patch,
  };
}

function contextOn(database: MemoryDatabase, take: boolean): Context {
  let ids = 0;
  return testContext({
    store: createMemoryStore({ database, sleep: () => Promise.resolve(), random: () => 0 }),
    clock: { now: () => NOW, after: () => () => {} },
    ids: { uuid: () => `id-${(ids += 1)}`, secret: () => 'secret' },
    queue: { take, itemsMax: 10 },
  });
}
