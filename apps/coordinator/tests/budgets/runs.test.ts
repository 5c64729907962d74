/** Runs under the budgets of `drover.toml`: from the reports of a machine to the turn that hands back, the question, and the next day. */
import { decideRun, DEFAULT_POLICY, newRun } from '@drover/core';
import type { Item, RunEvent, Stage } from '@drover/core';
import { idle, working } from '@drover/core/testing';
import { runRow } from '@drover/store/testing';
import { describe, expect, test } from 'vitest';
import { POLICY } from '../../src/facts/people/causes.ts';
import { handleRunEvent } from '../../src/loop/runs/handle.ts';
import { inMemory, onPostgres } from '../support/scene.ts';
import { answers, HOUR, limit, NO_LIMIT, scene, settled, TASKS } from './scene.ts';

describe.each([
  ['in memory', inMemory],
  ['on Postgres', onPostgres],
] as const)('budgets of runs, %s', (_, open) => {
  test('given a run, when the budget of the day is spent, then its agent hands back, nothing begins, a person is asked, and it goes on the next day', async () => {
    await using given = await scene(open, { day: limit({ tokens: 100 }) });
    const { ctx, ben, nature } = given;
    const run = await runOn(given);
    await given.uses({ input: 85 });
    expect(await run.item()).toMatchObject({ progress: { kind: 'running', handBackUntil: null, isNear: true } });

    await given.uses({ input: 120 });
    expect(await run.item()).toMatchObject({ progress: { kind: 'running', handBackUntil: nature.now + 3 * 60_000 } });
    await run.handsBack();

    expect(await run.item()).toMatchObject({ progress: { kind: 'waiting', on: 'budget' }, triesSpent: 0 });
    const [asked] = await ctx.store.listEscalations({ open: true, limit: 5 });
    expect(asked?.title).toBe('build: The budget of the day is spent: 120 of 100 tokens.');

    // Woken before the day ends, it finds the budget spent, and asks nobody again.
    await run.hears({ kind: 'budget-changed' });
    expect(await run.item()).toMatchObject({ progress: { kind: 'waiting', on: 'budget' } });
    expect(await ctx.store.listEscalations({ limit: 5 })).toHaveLength(1);
    expect((await given.stateOf(ben)).lifecycle.status).toBe('idle');

    nature.now += 25 * HOUR;
    await settled(ctx);
    expect(await run.item()).toMatchObject({ progress: { kind: 'running' }, triesSpent: 0 });
    expect(await ctx.store.listEscalations({ open: true, limit: 5 })).toEqual([]);
  });

  test('given a run that waits for its budget, when a person raises it, then it goes on, and the end comes again half of the budget later', async () => {
    await using given = await scene(open, { day: limit({ tokens: 100 }) });
    const { ctx, nature } = given;
    const run = await runOn(given);
    await given.uses({ input: 120 });
    await run.handsBack();
    await given.uses({ input: 30 }, { workerId: given.ben.id, task: TASKS[1] });

    await answers(ctx, 'raise');

    expect(await run.item()).toMatchObject({ progress: { kind: 'running' }, attempt: 3 });
    nature.now += 1;
    await given.uses({ input: 169 });
    expect(await run.item()).toMatchObject({ progress: { handBackUntil: null } });
    await given.uses({ input: 171 });
    expect(await run.item()).toMatchObject({ progress: { handBackUntil: nature.now + 3 * 60_000 } });
  });

  test('given a run that waits for its budget, when a greater one is written, then it goes on at once', async () => {
    await using given = await scene(open, { worker: limit({ tokens: 100 }) });
    const run = await runOn(given);
    await given.uses({ input: 120 });
    await run.handsBack();

    await given.budgeted({ worker: limit({ tokens: 1_000 }) });

    expect(await run.item()).toMatchObject({ progress: { kind: 'running' }, attempt: 3 });
  });

  test('given a budget whose rounded words stay the same, when a report reaches its end, then the agent is interrupted', async () => {
    await using given = await scene(open, { day: limit({ timeMs: 100 * HOUR }) });
    const run = await runOn(given);
    await given.uses(null, { workedMs: 96 * HOUR });
    expect(await run.item()).toMatchObject({ progress: { isNear: true, handBackUntil: null } });

    await given.uses(null, { workedMs: 5 * HOUR });

    expect(await run.item()).toMatchObject({ progress: { handBackUntil: given.nature.now + 3 * 60_000 } });
  });

  test('given a worker whose own budget is spent, when another is busy, then the work waits for that one, and nobody is asked', async () => {
    await using given = await scene(open, { worker: limit({ tokens: 100 }) });
    const { ctx, nature, ada, ben } = given;
    await given.uses({ input: 120 });
    const run = await runOn(given);
    await given.becomes(ben, working().worker);

    await run.fails();
    // The worker that the run frees meanwhile is waited for, and is not free for it.
    nature.now += 100;
    await settled(ctx);

    expect(await run.item()).toMatchObject({ progress: { kind: 'waiting', on: 'worker' } });
    expect(await ctx.store.listEscalations({ open: true, limit: 5 })).toEqual([]);
    await given.becomes(ada, idle().worker);
    await given.becomes(ben, idle().worker);
    nature.now += 3_000;
    await settled(ctx);
    expect(await run.item()).toMatchObject({ progress: { kind: 'running' }, worker: { workerId: ben.id } });
  });

  test('given workers whose own budgets are all spent, when work is to begin, then a person is asked once, and it is looked again when the day ends', async () => {
    await using given = await scene(open, { worker: limit({ tokens: 100 }) });
    const { ctx, nature, ada, ben } = given;
    await given.uses({ input: 120 });
    await given.uses({ input: 150 }, { workerId: ben.id, task: TASKS[1] });
    const run = await runOn(given);

    await run.fails();

    const retryAt = 20_001 * 24 * HOUR;
    expect(await run.item()).toMatchObject({ progress: { kind: 'waiting', on: 'budget', retryAt }, placeTries: 0 });
    await given.becomes(ada, idle().worker);
    nature.now += 3_000;
    await settled(ctx);
    expect(await run.item()).toMatchObject({ attempt: 2, progress: { kind: 'waiting', on: 'budget', retryAt } });
    await answers(ctx, 'raise');
    expect(await run.item()).toMatchObject({ progress: { kind: 'running' } });
  });
});

const BUILD: Stage = {
  kind: 'task',
  name: 'build',
  role: 'developer',
  profile: null,
  ask: '{{goal}}',
  tries: 1,
  returns: 'commit',
  check: null,
  budget: NO_LIMIT,
};

/** Begins a run whose one item is in the hands of `ada`. */
async function runOn({ ctx, nature, ada, becomes, stateOf }: Awaited<ReturnType<typeof scene>>) {
  const plain = runRow(ada);
  const { id: runId } = plain;
  const { terms } = plain.state;
  const at = { now: nature.now, random: 0, policy: DEFAULT_POLICY };
  const flow = { ...terms.flow, budget: { ...NO_LIMIT, workers: 4 }, stages: [BUILD] };
  const begun = decideRun(newRun({ ...terms, flow }), { kind: 'requested' }, at);
  await ctx.store.transaction(async (tx) => {
    await tx.keepFlow({ digest: plain.flow, name: plain.flowName, text: '', createdAt: 1 });
    await tx.insertRun({ ...plain, state: begun.run });
  });
  const [{ id: request } = { id: '' }] = begun.requests;
  const task = { runId, item: 'build', attempt: 1, returns: 'commit' } as const;
  const held = { ...task, phase: 'open', takenAt: null, answered: false, asked: 0, isLast: false } as const;
  const { worker } = working();
  if (worker.task.kind !== 'in-hand') throw new Error('no task');
  await becomes(ada, { ...worker, task: { ...worker.task, id: TASKS[0], run: held } });

  async function hears(event: RunEvent): Promise<void> {
    const heard = { runId, id: ctx.ids.uuid(), event, by: POLICY };
    await ctx.store.transaction((tx) => handleRunEvent(ctx, tx, heard));
    await settled(ctx);
  }

  async function item(): Promise<Item | undefined> {
    return (await ctx.store.readRun(runId))?.state.stages[0]?.items[0];
  }

  const of = { item: 'build', attempt: 1, workerId: ada.id };
  await hears({ kind: 'placed', request, ...of, name: 'ada', profile: 'claude', account: null });
  return {
    item,
    hears,
    /** Ends the attempt with its worker, which is free afterwards. */
    fails: async (): Promise<void> => {
      await becomes(ada, idle().worker);
      await hears({
        kind: 'task-ended',
        ...of,
        end: { kind: 'failed', code: 'MACHINE_LOST', commit: null, problem: '' },
      });
    },
    /** Ends the turn that hands back, and keeps what is there. The worker holds. */
    handsBack: async (): Promise<void> => {
      const { worker: resting } = idle();
      const now = await stateOf(ada);
      if (now.task.kind !== 'in-hand') throw new Error('no task');
      const { lifecycle, turn } = resting;
      const command = { ...now.command, inFlight: null };
      await becomes(ada, { ...now, lifecycle, turn, command, task: { ...now.task, run: { ...held, phase: 'held' } } });
      await hears({ kind: 'task-ended', ...of, end: { kind: 'no-result', commit: null, problem: 'there is none' } });
      const progress = (await item())?.progress;
      const pin = progress?.kind === 'pinning' ? progress.request : '';
      await hears({ kind: 'pinned', request: pin, commit: 'c1', tree: 't1' });
    },
  };
}
