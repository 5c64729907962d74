/** The end of a task whose worker is removed: dropped, or back in the work queue, and the number of workers after which a person is asked. */
import type { Actor, Outcome, RequestView } from '@drover/api';
import { workerOptions } from '@drover/store/testing';
import { expect, test } from 'vitest';
import { createEscalationFleet } from '../../src/use-cases/escalations/fleet.ts';
import { takeItem } from '../../src/use-cases/queue/take.ts';
import { createTaskFleet } from '../../src/use-cases/tasks/fleet.ts';
import { createWorkerFleet } from '../../src/use-cases/workers/fleet.ts';
import { emptied, MIA, WAITERS } from '../support/placing.ts';
import { ENDS, incarnationOf } from '../support/two-machines.ts';

const PROMPT = 'mend the pump\nsoon';
const BEN: Actor = { ...MIA, id: 'ben', name: 'ben', role: 'operator' };

async function fleet() {
  const given = await emptied();
  const { ctx, two, nature, queue } = given;
  const workers = createWorkerFleet(ctx, { ...WAITERS, defaults: () => ({ ...workerOptions(), profiles: ['sim'] }) });
  const tasks = createTaskFleet(ctx, WAITERS);
  const start = (name: string) => tasks.start({ requestId: given.id(), name, prompt: PROMPT }, MIA);
  const ask = (name: string, task?: 'drop' | 'requeue'): Promise<Outcome<RequestView>> =>
    workers.nuke({ requestId: given.id(), name, force: true, task }, BEN);
  const take = () => ctx.store.transaction((tx) => takeItem(ctx, tx));

  /** Lets the machine carry out its commands until the worker is gone. */
  async function leave(name: string): Promise<void> {
    const { id, machineId } = given.rowOf(name);
    const machine = machineId === two.honest.id ? two.honest : two.liar;
    for (;;) {
      const row = two.database.workers.get(id);
      const command = row?.state.command.inFlight?.command;
      if (row === undefined) return;
      if (command === undefined) throw new Error(`"${name}" stays: ${row.state.lifecycle.note}`);
      const ended = ENDS[command.kind];
      const result = 'incarnation' in ended ? { ...ended, incarnation: incarnationOf(row) } : ended;
      await two.say(machine, { kind: 'result', workerId: id, ...two.commandOf(row), result });
      nature.now += 10;
    }
  }

  async function nuke(name: string, task?: 'drop' | 'requeue'): Promise<Outcome<RequestView>> {
    const outcome = await ask(name, task);
    if (outcome.kind === 'ok') await leave(name);
    return outcome;
  }

  /** Uses up the tries that the worker's failures have. */
  async function fail(name: string): Promise<void> {
    const row = given.rowOf(name);
    const lifecycle = { ...row.state.lifecycle, status: 'error' as const };
    await ctx.store.transaction((tx) => tx.saveWorker({ ...row, state: { ...row.state, lifecycle } }, ctx.clock.now()));
  }

  /** Lists the open questions about work that no worker takes. */
  const asked = async () =>
    (await ctx.store.listEscalations({ open: true, limit: 9 })).filter(({ title }) => title.startsWith('Work item'));
  const items = () => queue.listQueue({ all: true, limit: 9, after: undefined }, MIA);
  const tasksOf = async (name: string) =>
    (await tasks.listTasks({ worker: name, status: undefined, after: undefined, limit: 9 }, MIA)).map(
      ({ status }) => status,
    );
  return { ...given, start, take, asked, nuke, fail, items, tasksOf };
}

test('given a worker at a task of a person, when it is removed and nobody says what of its task, then it stays, and the task is named', async () => {
  const { idle, start, nuke, rowOf, items } = await fleet();
  await idle('adam');
  await start('adam');

  const refused = await nuke('adam');

  expect(refused).toMatchObject({ kind: 'refused', code: 'task-unfinished' });
  expect(refused).toMatchObject({ message: expect.stringContaining('adam: Not removed: its task "mend the pump"') });
  expect(rowOf('adam').state.lifecycle.wanted).toBe('up');
  expect(await items()).toEqual([]);
});

test('given a worker at a task of a person, when it is removed with "drop", then the task is cancelled, and the audit says who asked for that', async () => {
  const { ctx, idle, start, nuke, tasksOf, items } = await fleet();
  await idle('adam');
  await start('adam');

  const done = await nuke('adam', 'drop');

  expect(done).toMatchObject({ kind: 'ok', value: { note: 'its task "mend the pump" is dropped' } });
  expect(await tasksOf('adam')).toEqual(['cancelled']);
  expect(await items()).toEqual([]);
  const audit = await ctx.store.listAudit({ limit: 50 });
  expect(audit.map(({ body }) => body).find((body) => body.includes('nuke-requested'))).toMatch(
    /"actor":"person ben".*"task":"drop"/u,
  );
});

test('given a worker at a task of a person, when it is removed with "requeue", then another worker gets the whole prompt', async () => {
  const { idle, start, nuke, tasksOf, items, take, rowOf } = await fleet();
  await idle('adam');
  await start('adam');

  const done = await nuke('adam', 'requeue');

  expect(done).toMatchObject({ value: { note: 'its task "mend the pump" is in the work queue again (S1)' } });
  expect(await tasksOf('adam')).toEqual(['ended']);
  expect(await items()).toMatchObject([{ status: 'open', body: PROMPT, priority: 'S1', failures: 0, foundBy: 'adam' }]);
  await idle('bea');
  await take();
  expect(rowOf('bea').state.task).toMatchObject({ kind: 'in-hand', prompt: PROMPT });
});

test('given a task that began on existing work, when its worker is removed with "requeue", then another worker begins there', async () => {
  const { idle, start, nuke, take, rowOf, ctx } = await fleet();
  await idle('adam');
  await start('adam');
  const from = { commit: 'f'.repeat(40), name: 'branch "feat/x"' };
  const row = rowOf('adam');
  const state = { ...row.state, task: { ...row.state.task, from } as typeof row.state.task };
  await ctx.store.transaction((tx) => tx.saveWorker({ ...row, state }, ctx.clock.now()));

  await nuke('adam', 'requeue');
  await idle('bea');
  await take();

  expect(rowOf('bea').state.task).toMatchObject({ kind: 'in-hand', prompt: PROMPT, from });
});

test.each([
  ['requeue', 'open', 'is in the work queue again (S3)'],
  ['drop', 'dropped', 'is dropped'],
] as const)(
  'given a worker that has taken an item of the queue, when it is removed with %j, then the item is %s',
  async (end, status, told) => {
    const { idle, queue, id, take, nuke, items } = await fleet();
    await queue.addToQueue({ requestId: id(), priority: 'S3', prompt: PROMPT }, MIA);
    await idle('adam');
    await take();
    expect(await nuke('adam')).toMatchObject({ code: 'task-unfinished' });

    const done = await nuke('adam', end);

    expect(done).toMatchObject({ value: { note: `its task "mend the pump" ${told}` } });
    expect(await items()).toMatchObject([{ status, priority: 'S3', failures: 0 }]);
  },
);

test('given a task at which worker after worker fails, when each is removed with "requeue", then a person is asked once after the second, and their answer gives it a new start', async () => {
  const { ctx, idle, start, nuke, fail, items, take, asked, id, rowOf } = await fleet();
  await idle('adam');
  await start('adam');
  await fail('adam');
  await nuke('adam', 'requeue');
  expect(await items()).toMatchObject([{ status: 'open', failures: 1, waitsFor: null }]);
  await idle('bea');
  await take();
  await fail('bea');

  const second = await nuke('bea', 'requeue');

  expect(second).toMatchObject({
    value: { note: expect.stringContaining('waits for a person, as 2 worker(s) failed at it') },
  });
  expect(await items()).toMatchObject([{ status: 'open', failures: 2, waitsFor: 'person' }]);
  await idle('carl');
  await take();
  expect(rowOf('carl').state.task.kind).toBe('none');
  const open = await asked();
  expect(open).toMatchObject([{ title: 'Work item failed 2 times: mend the pump' }]);

  const answer = { id: open[0]?.id ?? '', option: 'item-retry', asked: 1 };
  const answered = await createEscalationFleet(ctx).resolveEscalation({ ...answer, requestId: id() }, MIA);
  await take();

  expect(answered.kind).toBe('ok');
  expect(await items()).toMatchObject([{ status: 'taken', failures: 0, worker: 'carl' }]);
  expect(await asked()).toEqual([]);
});

test('given an item that waits for a person, when it is opened again by its id, then its question is over', async () => {
  const { idle, start, nuke, fail, items, take, asked, queue } = await fleet();
  for (const name of ['adam', 'bea']) {
    await idle(name);
    if (name === 'adam') await start(name);
    else await take();
    await fail(name);
    await nuke(name, 'requeue');
  }
  const [item] = await items();
  expect(await asked()).toHaveLength(1);

  await queue.retryQueueItem({ id: item?.id ?? '' }, MIA);

  expect(await asked()).toEqual([]);
});
