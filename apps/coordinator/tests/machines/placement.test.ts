/** Where does work go, by whichever way it comes, and is it said why? On scripted machines. */
import type { Actor, Outcome, RequestView } from '@drover/api';
import { expect, test } from 'vitest';
import type { WorkerOptions, WorkerRow } from '@drover/store';
import { workerOptions } from '@drover/store/testing';
import { Waiters } from '../../src/agent/waiters.ts';
import { accountKeyOf } from '../../src/use-cases/accounts/key.ts';
import { createMachineFleet } from '../../src/use-cases/machines/machines.ts';
import { moveWorker } from '../../src/use-cases/moves/move.ts';
import { createQueueFleet } from '../../src/use-cases/queue/queue.ts';
import { takeItem } from '../../src/use-cases/queue/take.ts';
import { createTaskFleet } from '../../src/use-cases/tasks/fleet.ts';
import { createWorkerFleet } from '../../src/use-cases/workers/fleet.ts';
import { Nature } from '../support/scene.ts';
import { READY, ENDS, incarnationOf, readingOf, twoMachines } from '../support/two-machines.ts';
import type { TwoMachines } from '../support/two-machines.ts';

const MIA: Actor = { kind: 'person', id: 'mia', name: 'mia', role: 'admin', project: null, worker: null };
const WAITERS = { commands: new Waiters(), events: new Waiters() };
const HOUR = 3_600_000;

/** The workers that were there from the start are gone: only what a test adds counts. */
async function emptied() {
  const nature = new Nature();
  const two = await twoMachines(nature);
  const { ctx, database } = two;
  const before = (await ctx.store.listWorkers()).map(({ id }) => id);
  for (const id of before) await ctx.store.transaction((tx) => tx.deleteWorker(id));
  const id = (): string => ctx.ids.uuid();
  const workers = createWorkerFleet(ctx, { ...WAITERS, defaults: () => ({ ...workerOptions(), profiles: ['sim'] }) });
  const tasks = createTaskFleet(ctx, WAITERS);

  /** Adds a worker and plays its machine until it is idle. */
  async function idle(
    name: string,
    more: { machine?: string; role?: string; labels?: string[] } = {},
  ): Promise<WorkerRow> {
    const added = await workers.add({ orderId: id(), name, ...more }, MIA);
    if (added.kind === 'refused') throw new Error(added.message);
    const row = rowOf(name);
    const machine = row.machineId === two.honest.id ? two.honest : two.liar;
    for (;;) {
      const { inFlight } = rowOf(name).state.command;
      if (inFlight === null) break;
      const ended = ENDS[inFlight.command.kind];
      const result = 'incarnation' in ended ? { ...ended, incarnation: incarnationOf(row) } : ended;
      await two.say(machine, { kind: 'result', workerId: row.id, ...two.commandOf(row), result });
      nature.now += 10;
    }
    const look = readingOf(READY, nature.now);
    await two.say(machine, { kind: 'screen', workerId: row.id, incarnation: incarnationOf(row), look });
    nature.now += 10;
    await heard(two);
    expect(rowOf(name).state.lifecycle.status).toBe('idle');
    return rowOf(name);
  }

  function rowOf(name: string): WorkerRow {
    const row = [...database.workers.values()].find((one) => one.name === name);
    if (row === undefined) throw new Error(`There is no "${name}"`);
    return row;
  }

  async function pauseAccountOf(row: WorkerRow): Promise<void> {
    const now = ctx.clock.now();
    const key = accountKeyOf(ctx, row);
    const state = {
      kind: 'paused',
      since: now,
      wakeAt: now + HOUR,
      statedResetAt: null,
      failedProbes: 0,
      waiting: [],
    } as const;
    await ctx.store.transaction(async (tx) => {
      await tx.lockAccount(key, now);
      await tx.saveAccount({ key, state, updatedAt: now });
    });
  }

  async function about(name: string): Promise<readonly string[]> {
    const why = await workers.why({ name, limit: 5 }, MIA);
    return why.kind === 'ok' ? why.value.about : [];
  }

  const add = (name: string, more: { machine?: string; labels?: string[] } = {}): Promise<Outcome<RequestView>> =>
    workers.add({ orderId: id(), name, ...more }, MIA);
  const start = (more: { role?: string } = {}): Promise<Outcome<RequestView>> =>
    tasks.start({ orderId: id(), prompt: 'do it', ...more }, MIA);
  const label = async (name: string, labels: string[], capacity: number | null = null): Promise<void> => {
    await createMachineFleet(ctx).labelMachine({ name, labels, capacity }, MIA);
  };
  return { ctx, two, id, idle, about, add, start, label, rowOf, pauseAccountOf, queue: createQueueFleet(ctx) };
}

async function heard({ ctx, honest, liar }: TwoMachines): Promise<void> {
  for (const { id, epoch, agentEpoch } of [honest, liar])
    await ctx.store.touchMachine({ machineId: id, epoch, agentEpoch }, ctx.clock.now());
}

function nameOf(outcome: Outcome<RequestView>): string {
  return outcome.kind === 'ok' ? `${outcome.value.worker.name} on ${outcome.value.worker.machine}` : outcome.message;
}

test('given machines with labels, when workers ask for some, then they go where all are, and the refusal says who lacks what', async () => {
  const given = await emptied();
  await given.label('honest', ['eu', 'gpu']);
  await given.label('liar', ['eu']);
  await given.add('near', { machine: 'honest' });

  const placed = await given.add('adam', { labels: ['eu', 'gpu'] });
  const nowhere = await given.add('bea', { labels: ['arm'] });
  const named = await given.add('cleo', { labels: ['gpu'], machine: 'liar' });
  const moved = await moveWorker(given.ctx, WAITERS, {
    orderId: given.id(),
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
  const refused = { kind: 'refused', code: 'label', message: expect.stringContaining('drover machines label') };
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

test('given a worker whose account is paused, when tasks come, then those that can begin get them, and nobody waits unasked', async () => {
  const given = await emptied();
  const adam = await given.idle('adam', { machine: 'honest' });
  await given.idle('bea', { machine: 'liar' });
  await given.pauseAccountOf(adam);

  const first = await given.start();
  const second = await given.start();
  const added = await given.add('cleo');
  const item = await given.queue.addToQueue({ orderId: given.id(), priority: 'S2', prompt: 'later' }, MIA);
  const taken = await given.ctx.store.transaction((tx) => takeItem(given.ctx, tx));

  expect(nameOf(first)).toBe('bea on liar');
  expect(await given.about('bea')).toContainEqual(
    'Its task was given to it: it is the only idle worker that can take it',
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
  await given.queue.addToQueue({ orderId: given.id(), priority: 'S0', prompt: 'the build is broken' }, MIA);

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
    { orderId: given.id(), priority: 'S1', prompt: 'read it', role: 'reviewer' },
    MIA,
  );
  await given.ctx.store.transaction((tx) => takeItem(given.ctx, tx));

  expect(nameOf(nobody)).toContain('adam is a developer');
  expect(nameOf(rita)).toMatch(/^rita on/);
  expect(item).toMatchObject({ value: { role: 'reviewer', nowhere: 'adam is a developer; rita is working' } });
  expect(given.rowOf('adam').state.task.kind).toBe('none');
});

test('given rows of a former build, when work is placed, then they are developers that anybody can place', async () => {
  const given = await emptied();
  const adam = await given.idle('adam');
  const { role: _role, labels: _labels, chosen: _chosen, ...former } = adam.options;
  const options: WorkerOptions = former;
  await given.ctx.store.transaction(async (tx) => {
    const row = await tx.lockWorker(adam.id);
    if (row !== null) await tx.saveWorker({ ...row, options }, given.ctx.clock.now());
  });

  expect(nameOf(await given.start({ role: 'developer' }))).toMatch(/^adam on/);
});
