/** Budgets of a task, a worker, a project and a day, from the reports of a machine to the status of each worker; tokens, dollars and time. */
import { idle } from '@drover/core/testing';
import { observationBody } from '@drover/protocol';
import { describe, expect, test } from 'vitest';
import { drainDueWork } from '../../src/due/drain.ts';
import { beginWorker } from '../../src/loop/begin-worker.ts';
import { report } from '../../src/use-cases/incidents/report.ts';
import { inMemory, onPostgres } from '../support/scene.ts';
import { answers, HOUR, limit, scene, TASKS } from './scene.ts';

describe.each([
  ['in memory', inMemory],
  ['on Postgres', onPostgres],
] as const)('budgets, %s', (_, open) => {
  test('given a budget of the day, when one worker spends it, then the other is given no text, and both go on the next day', async () => {
    await using given = await scene(open, { day: limit({ tokens: 1_000 }) });
    const { ada, ben, nature, ctx, stateOf } = given;
    await given.uses({ input: 700, output: 150 });
    expect((await stateOf(ada)).budget.mark.kind).toBe('near');

    await given.uses({ input: 900, output: 150 });
    await given.starts(ben, TASKS[1]);

    expect((await stateOf(ada)).budget.mark).toMatchObject({ kind: 'handing-back' });
    expect((await stateOf(ben)).lifecycle).toMatchObject({
      status: 'error',
      note: 'The budget of the day is spent: 1050 of 1000 tokens.',
    });

    nature.now += 23 * HOUR;
    await drainDueWork(ctx);
    expect((await stateOf(ben)).lifecycle.status).toBe('error');
    nature.now += 2 * HOUR;
    await drainDueWork(ctx);
    expect((await stateOf(ben)).lifecycle.status).toBe('working');
    expect((await stateOf(ada)).budget.mark.kind).toBe('open');
  });

  test('given a budget of a worker, when it is spent over two tasks, then that worker stops, and no other', async () => {
    await using given = await scene(open, { worker: limit({ money: 10 }) });
    const { ada, ben } = given;
    await given.uses({ money: 6 });
    await given.uses({ money: 4.5 }, { task: TASKS[1] });

    expect((await given.stateOf(ada)).budget.mark).toMatchObject({
      kind: 'handing-back',
      use: { words: '$10.50 of $10.00' },
    });
    expect((await given.stateOf(ben)).budget.mark.kind).toBe('open');
  });

  test('given a budget in time, when the program tells no tokens, then time governs', async () => {
    await using given = await scene(open, { project: limit({ timeMs: HOUR, tokens: 5 }) });
    await given.uses(null, { workedMs: HOUR / 2 });
    expect((await given.stateOf(given.ada)).budget.mark.kind).toBe('open');

    await given.uses(null, { workedMs: HOUR / 2 });

    expect((await given.stateOf(given.ada)).budget.mark).toMatchObject({
      use: { scope: 'project', words: '60 min of 60 min at work' },
    });
  });

  test('given a spent budget, when a greater one is written, then what waits goes on at once', async () => {
    await using given = await scene(open, { day: limit({ tokens: 100 }) });
    await given.uses({ input: 100 });
    await given.starts(given.ben, TASKS[1]);
    expect((await given.stateOf(given.ben)).lifecycle.status).toBe('error');

    await given.budgeted({ day: limit({ tokens: 1_000 }) });

    expect((await given.stateOf(given.ben)).lifecycle.status).toBe('working');
  });

  test('given a spent budget of the project, when a worker is added, then it knows before its first task', async () => {
    await using given = await scene(open, { project: limit({ tokens: 100 }) });
    const { ctx, nature, ben } = given;
    await given.uses({ input: 100 });
    const { version: _version, updatedAt: _updatedAt, ...row } = ben;
    const young = { ...row, id: ctx.ids.uuid(), name: 'cleo', state: idle().worker };

    await ctx.store.transaction((tx) => beginWorker(ctx, tx, { row: young, events: [] }));
    nature.now += 1;
    await drainDueWork(ctx);

    expect((await ctx.store.readWorker(young.id))?.state.budget.mark.kind).toBe('spent');
  });

  test('given a report that comes again after a restart, when it is counted, then it counts once, and a count that began anew comes on top', async () => {
    await using given = await scene(open, { task: limit({ tokens: 1_000_000 }) });
    const { ctx, ada } = given;
    await given.uses({ input: 100, cached: 5, output: 10 }, { workedMs: 60_000 });
    await given.uses({ input: 100, cached: 5, output: 10 });
    await given.uses({ input: 40 });
    await given.uses({ input: 7 }, { since: 9 });
    await given.uses(null, { workerId: ada.id, task: TASKS[1], workedMs: 1_000 });

    const told = await report(ctx, { sinceMs: HOUR }, { project: null, worker: null });

    if (told.kind !== 'ok') throw new Error('no report');
    const { cost } = told.value;
    expect(cost.inAll).toMatchObject({
      tokens: 117,
      moreTokens: true,
      cachedTokens: 5,
      dollars: null,
      workedMs: 61_000,
    });
    expect(cost.tasks).toMatchObject([
      { task: TASKS[0], worker: 'ada', prompt: null, tokens: 117, cachedTokens: 5, dollars: null, workedMs: 60_000 },
      { task: TASKS[1], worker: 'ada', prompt: null, tokens: null, cachedTokens: null, dollars: null, workedMs: 1_000 },
    ]);
    expect(cost.projects).toEqual([expect.objectContaining({ project: 'shop', tokens: 117 })]);
    expect(cost.days).toEqual([expect.objectContaining({ day: 20_000 * 24 * HOUR, date: '2024-10-04', tokens: 117 })]);
  });

  test('given the largest numbers that a machine may tell, when they are told twice, then all budgets still count, and the report too', async () => {
    await using given = await scene(open, { project: limit({ timeMs: HOUR, tokens: 2e15 }) });
    const day = 24 * HOUR;
    for (const since of [7, 8]) await given.uses({ input: 1e12, money: 1e12 }, { workedMs: day, since });

    const told = await report(given.ctx, { sinceMs: HOUR }, { project: null, worker: null });

    expect(told).toMatchObject({ kind: 'ok', value: { cost: { inAll: { tokens: 2e12, workedMs: 2 * day } } } });
    expect((await given.stateOf(given.ada)).budget.mark).toMatchObject({ use: { scope: 'project' } });
    for (const body of [{ workedMs: day + 1 }, { usage: { input: 1e12 + 1, cached: 0, output: 0, money: null } }]) {
      const of = { kind: 'usage', workerId: given.ada.id, task: TASKS[0], since: 7, workedMs: 0, usage: null };
      expect(observationBody.safeParse({ ...of, ...body }).success).toBe(false);
    }
  });

  test('given a worker that is stopped, when others spend on and a person raises it days later, then the half comes on top of what is spent by then', async () => {
    await using given = await scene(open, { project: limit({ tokens: 100 }) });
    const { ctx, nature, ben } = given;
    await given.uses({ input: 100 });
    await given.starts(ben, TASKS[1]);
    await given.uses({ input: 160 });
    nature.now += 50 * HOUR;
    await drainDueWork(ctx);

    await answers(ctx, 'raise', ben.id);

    expect((await given.stateOf(ben)).budget.allowed.project?.share).toBeCloseTo(2.1);
    expect((await given.stateOf(ben)).lifecycle.status).toBe('working');
  });

  test('given a count that is older than the history, when it is pruned and told again, then nothing of it counts for today', async () => {
    await using given = await scene(open, { worker: limit({ tokens: 450 }), day: limit({ tokens: 300 }) });
    const { ctx, nature, ada } = given;
    await given.uses({ input: 400 });
    nature.now += 20 * 24 * HOUR;
    await ctx.store.transaction((tx) => tx.prune(nature.now - 14 * 24 * HOUR, 100));

    await given.uses({ input: 500 });

    const [today] = await ctx.store.listUsage({ taskId: TASKS[0], limit: 1 });
    expect(today?.input).toBe(100);
    expect((await given.stateOf(ada)).budget.mark.kind).toBe('open');
  });

  test('given a spent budget of a worker, when its days are no longer counted, then it goes on without any report', async () => {
    await using given = await scene(open, { worker: limit({ tokens: 100 }) });
    const { ctx, nature, ada } = given;
    await given.uses({ input: 100 });
    for (let day = 1; day <= 13; day += 1) {
      nature.now += 24 * HOUR;
      await drainDueWork(ctx);
    }
    expect((await given.stateOf(ada)).budget.mark.kind).not.toBe('open');

    nature.now += 24 * HOUR;
    await drainDueWork(ctx);

    expect((await given.stateOf(ada)).budget.mark.kind).toBe('open');
  });
});
