/** A run believes the row of its worker, whenever and in whatever order events about it come. On a store in memory. */
import { decideRun, DEFAULT_POLICY, newRun } from '@drover/core';
import type { Progress, RunEvent, Stage, Worker } from '@drover/core';
import { working } from '@drover/core/testing';
import { runRow } from '@drover/store/testing';
import { expect, test } from 'vitest';
import { POLICY } from '../../src/facts/people/causes.ts';
import { runRequestDue } from '../../src/loop/runs/due.ts';
import { handleRunEvent } from '../../src/loop/runs/handle.ts';
import { asItIsNow } from '../../src/loop/runs/worker.ts';
import { contextOf, incidentOf, inMemory, Nature, withWorkers } from '../support/scene.ts';

const BUDGET = { timeMs: null, tokens: null, money: null };
const WORK = { role: 'developer', profile: null, ask: '{{goal}}', tries: 1, returns: 'commit', check: null } as const;
const BUILD: Stage = { kind: 'task', name: 'build', ...WORK, budget: BUDGET };
const QUESTION = 'stopped with a question';
const LOST = incidentOf('i1', { code: 'MACHINE_LOST', escalated: true });

/** Begins with a run that has asked for a worker, and the worker at its task. */
async function placing(holdsCommits = true) {
  const stored = await inMemory();
  const nature = new Nature();
  const ctx = contextOf(stored.open(), nature);
  const [worker] = await withWorkers(ctx, ['ada']);
  if (worker === undefined) throw new Error('no worker');
  const plain = runRow(worker);
  const { terms } = plain.state;
  const begun = newRun({ ...terms, flow: { ...terms.flow, stages: [BUILD] } });
  const { run } = decideRun(begun, { kind: 'requested' }, { now: nature.now, random: 0, policy: DEFAULT_POLICY });
  const machineId = holdsCommits ? worker.machineId : ctx.ids.uuid();
  await ctx.store.transaction((tx) => tx.insertRun({ ...plain, machineId, state: run }));
  const { id: runId } = plain;
  const { worker: atWork } = working();
  if (atWork.task.kind !== 'in-hand') throw new Error('no task');
  const item = { runId, item: 'build', attempt: 1, returns: 'commit' } as const;
  const held = { ...item, phase: 'open', takenAt: null, answered: false, asked: 0, isLast: false } as const;
  const state: Worker = { ...atWork, task: { ...atWork.task, run: held } };
  const progressOf = async (): Promise<Progress | undefined> =>
    (await ctx.store.readRun(runId))?.state.stages[0]?.items[0]?.progress;
  const first = await progressOf();
  const request = first !== undefined && 'request' in first ? first.request : '';
  const { id: workerId, name } = worker;
  return {
    ctx,
    nature,
    runId,
    workerId,
    placed: { kind: 'placed', request, item: 'build', attempt: 1, workerId, name, profile: 'claude', account: null },
    progressOf,
    becomes: async (how: 'works' | 'asks' | 'away'): Promise<void> => {
      const lifecycle = { ...state.lifecycle, status: 'needs_input', note: QUESTION } as const;
      const asking = { ...state, lifecycle: { ...lifecycle, takenOver: true } };
      const lost: Worker = { ...state, incident: { ...state.incident, open: LOST } };
      const states = { works: state, asks: asking, away: lost };
      await ctx.store.transaction(async (tx) => {
        const row = await tx.lockWorker(workerId);
        if (row !== null) await tx.saveWorker({ ...row, state: states[how] }, nature.now);
      });
    },
    hears: async (event: RunEvent): Promise<void> => {
      const heard = { runId, id: ctx.ids.uuid(), event, by: POLICY };
      await ctx.store.transaction((tx) => handleRunEvent(ctx, tx, heard));
    },
    [Symbol.asyncDispose]: () => stored[Symbol.asyncDispose](),
  } as const;
}

test('given a worker that asked and went on, when its run hears of that in the other order, then the run does not wait', async () => {
  await using scene = await placing();
  const { workerId } = scene;
  await scene.becomes('works');
  await scene.hears(scene.placed);

  await scene.hears({ kind: 'worker-asks', workerId, text: null });
  await scene.hears({ kind: 'worker-asks', workerId, text: QUESTION });
  await scene.hears({ kind: 'machine-changed', workerId, isAway: true });

  expect(await scene.progressOf()).toMatchObject({ kind: 'running', isAway: false });
  expect(await scene.progressOf()).not.toHaveProperty('asks');
});

test('given a worker that asks before its run knows that it has the work, when the run hears that, then it waits at once', async () => {
  await using scene = await placing();
  const { workerId } = scene;
  await scene.becomes('asks');
  await scene.hears({ kind: 'worker-asks', workerId, text: QUESTION });

  await scene.hears(scene.placed);

  expect(await scene.progressOf()).toMatchObject({ kind: 'running', asks: QUESTION });
});

test('given a worker whose machine is away, when its run hears that, then the work is given up after a time, unless that machine has the commits of the run', async () => {
  const found: (Progress | undefined)[] = [];
  for (const holdsCommits of [true, false]) {
    await using scene = await placing(holdsCommits);
    await scene.becomes('works');
    await scene.hears(scene.placed);
    await scene.becomes('away');
    await scene.hears({ kind: 'machine-changed', workerId: scene.workerId, isAway: true });
    found.push(await scene.progressOf());
  }

  expect(found[0]).toMatchObject({ isAway: true });
  expect(found[0]).not.toHaveProperty('givenUpAt');
  expect(found[1]).toMatchObject({ isAway: true, givenUpAt: expect.any(Number) });
});

test.each(['stop', 'pause'] as const)(
  'given a placement that waits for commits on their way, when a person says %s, then it is looked at at once',
  async (act) => {
    await using scene = await placing();
    const { ctx, nature, runId, placed } = scene;
    const wish = { role: '', profile: null, notProfiles: [], notWorkers: [], notYet: [] };
    const item = { runId, item: 'build', attempt: 1, returns: 'commit' } as const;
    const start = { kind: 'start', id: placed.request, item, wish, from: 'b', also: [], text: 'Do it.' } as const;
    await ctx.store.transaction((tx) => tx.schedule([runRequestDue({ runId, request: start }, nature.now + 60_000)]));

    await scene.hears({ kind: 'person-acted', act, by: 'mia' });

    const due = await ctx.store.claimDueWork(nature.now, { limit: 100, leaseMs: 1 });
    expect(due.map(({ key }) => key)).toContain(`${runId} ${placed.request}`);
  },
);

test.each([
  ['another machine', false],
  ['the machine of the run', true],
])(
  'given a commit on %s, when it cannot be kept, then the run hears which workers are as far away',
  async (_, isHome) => {
    await using scene = await placing(isHome);
    const { ctx, runId, workerId, placed } = scene;
    await scene.becomes('works');
    await scene.hears(placed);
    const end = { kind: 'no-result', commit: 'c1', problem: 'none' } as const;
    await scene.hears({ kind: 'task-ended', item: 'build', attempt: 1, workerId, end });
    const run = await ctx.store.readRun(runId);
    const progress = await scene.progressOf();
    if (run === null || progress?.kind !== 'pinning') throw new Error('nothing is being kept');

    const event = { kind: 'not-pinned', request: progress.request, text: 'too large' } as const;
    const heard = await ctx.store.transaction((tx) => asItIsNow(tx, run, event));

    expect(heard).toMatchObject({ kind: 'not-pinned', unreached: isHome ? [] : [workerId] });
  },
);
