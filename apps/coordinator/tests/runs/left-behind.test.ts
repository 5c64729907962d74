/** Runs whose machines go away and do not come back in time: a stop ends, work stays where it is told, and nothing goes on unseen. On a store in memory. */
import { newRun } from '@drover/core';
import type { RunEvent, Stage } from '@drover/core';
import type { Machine } from '@drover/store';
import { expect, test } from 'vitest';
import type { Context } from '../../src/context/context.ts';
import { drainDueWork } from '../../src/due/drain.ts';
import { POLICY } from '../../src/facts/people/causes.ts';
import { handleRunEvent } from '../../src/loop/runs/handle.ts';
import { machineChecksDue } from '../../src/use-cases/machines/lost.ts';
import { createMachineFleet } from '../../src/use-cases/machines/machines.ts';
import { BASE, KEPT, scene, TREE, WORK } from '../support/carrying.ts';
import { MIA } from '../support/placing.ts';
import { BUSY, ENDS, incarnationOf, readingOf } from '../support/two-machines.ts';

const BUDGET = { timeMs: null, tokens: null, money: null };
const OWES = { role: 'developer', profile: null, ask: 'Do it.', tries: 1, returns: 'commit', check: null } as const;
const BUILD: Stage = { kind: 'task', name: 'build', ...OWES, budget: BUDGET };
const CHECK: Stage = { kind: 'check', name: 'check', of: 'build', check: [], budget: BUDGET };
const MERGE: Stage = { kind: 'accept', name: 'merge', of: 'build', budget: BUDGET };
const DONE = { verdict: 'done', summary: 'Done.', parts: [], report: '', findings: [], answers: [] } as const;
const STOP: RunEvent = { kind: 'person-acted', act: 'stop', by: 'mia' };
/** Silence after which a machine is lost. */
const LEASE_MS = 90_000;

/** Does all that is due, and what follows from it. */
async function settled(ctx: Context): Promise<void> {
  while ((await drainDueWork(ctx)) > 0);
}

/** Begins a run on the honest machine whose work `ada` of the other machine has. */
async function atWork(stages: readonly Stage[] = [BUILD]) {
  const given = await scene();
  const { ctx, two, nature, run, ada } = given;
  const { terms } = run.state;
  const state = newRun({ ...terms, id: run.id, flow: { ...terms.flow, budget: { ...BUDGET, workers: 4 }, stages } });
  await ctx.store.transaction((tx) => tx.saveRun({ ...run, state }));
  let events = 0;
  const hears = async (event: RunEvent): Promise<void> => {
    events += 1;
    const heard = { runId: run.id, id: `told ${events}`, event, by: POLICY };
    await ctx.store.transaction((tx) => handleRunEvent(ctx, tx, heard));
    await settled(ctx);
  };
  /** Lets time pass in minutes, in which only these machines are heard. */
  const pass = async (ms: number, heard: readonly Machine[]): Promise<void> => {
    for (const end = nature.now + ms; nature.now < end;) {
      nature.now = Math.min(end, nature.now + 30_000);
      for (const { id: machineId, epoch, agentEpoch } of heard)
        await ctx.store.touchMachine({ machineId, epoch, agentEpoch }, nature.now);
      const due = await machineChecksDue(ctx);
      await ctx.store.transaction((tx) => tx.schedule(due));
      await settled(ctx);
    }
  };
  const answers = async (machine: Machine, result: Parameters<typeof given.answers>[1]): Promise<void> => {
    await two.say(machine, { kind: 'answer', commandId: given.askedOf(machine)?.id ?? '', result });
    await settled(ctx);
  };
  const present = async () => {
    const row = await ctx.store.readRun(run.id);
    if (row === null) throw new Error('The run is gone');
    return row.state;
  };
  await hears({ kind: 'requested' });
  await answers(two.liar, { kind: 'run-pinned', commit: BASE, tree: TREE });
  expect((await present()).stages[0]?.items[0]).toMatchObject({
    progress: { kind: 'running' },
    worker: { name: 'ada' },
  });
  const finishes = (): Promise<void> =>
    hears({
      kind: 'task-ended',
      item: 'build',
      attempt: 1,
      workerId: ada.id,
      end: { kind: 'result', result: DONE, commit: WORK, base: BASE },
    });
  return { ...given, hears, pass, answers, present, finishes };
}

type Scene = Awaited<ReturnType<typeof atWork>>;

/** Lets a worker's commit come to the machine of the run. */
async function keeps({ two, answers, finishes }: Scene): Promise<void> {
  await finishes();
  await answers(two.liar, KEPT);
  await answers(two.honest, KEPT);
}

test('given a task on a machine that is away, when a person stops the run, then it is stopped once the machine counts as lost, and says what is ended when it is back', async () => {
  const given = await atWork();
  const { two, pass, hears, present } = given;
  await pass(LEASE_MS, [two.honest]);
  await hears(STOP);
  const early = await present();

  await pass(LEASE_MS, [two.honest]);

  expect(early.status).toBe('stopping');
  expect(await present()).toMatchObject({
    status: 'stopped',
    why: expect.stringContaining('On "liar", which is away, 1 task is ended when it is back'),
  });
  const { task, lifecycle } = given.rowOf('ada').state;
  expect([task.kind, lifecycle.status]).toEqual(['none', 'idle']);
});

test('given a run that was stopped without a machine, when that is back with its agent at work and then a result, then the agent is ended, its work saved, and the run is as it was', async () => {
  const given = await atWork();
  const { ctx, two, nature, pass, hears, present, rowOf, ada } = given;
  await pass(LEASE_MS, [two.honest]);
  await hears(STOP);
  await pass(LEASE_MS, [two.honest]);
  const before = await present();

  const kinds: string[] = [];
  for (let turn = 0; turn < 6; turn += 1) {
    nature.now += 1_000;
    const reading = readingOf(BUSY, nature.now);
    await two.say(two.liar, { kind: 'screen', workerId: ada.id, incarnation: incarnationOf(ada), reading });
    const { inFlight } = rowOf('ada').state.command;
    if (inFlight === null) break;
    kinds.push(inFlight.command.kind);
    const result = ENDS[inFlight.command.kind];
    await two.say(two.liar, { kind: 'result', workerId: ada.id, ...two.commandOf(rowOf('ada')), result });
    await settled(ctx);
  }
  await given.finishes();

  expect(kinds).toEqual(expect.arrayContaining(['interrupt', 'checkpoint']));
  expect(rowOf('ada').state.task.kind).toBe('none');
  expect({ ...(await present()), seq: 0 }).toEqual({ ...before, seq: 0 });
});

test('given the machine with the commits away, when a person stops the run, then the worker elsewhere keeps its commit there, and the run is stopped and says where', async () => {
  const given = await atWork();
  const { two, pass, hears, answers, present } = given;
  await pass(LEASE_MS, [two.liar]);
  await hears(STOP);
  const asked = given.askedOf(two.liar)?.query;
  await answers(two.liar, KEPT);
  const early = await present();

  await pass(2 * LEASE_MS, [two.liar]);

  expect(asked).toMatchObject({ kind: 'run-pin', isCarried: true });
  expect(early.status).toBe('stopping');
  expect(await present()).toMatchObject({
    status: 'stopped',
    why: expect.stringContaining(`The work of build is kept on "liar" as commit ${WORK}.`),
  });
  expect(given.askedOf(two.honest)).toBeNull();
});

test('given a commit on its way to the machine of the run, when that falls silent and comes back before the stop has waited long enough, then the commit is kept', async () => {
  const given = await atWork();
  const { two, pass, hears, answers, present } = given;
  await pass(LEASE_MS, [two.liar]);
  await hears(STOP);
  await answers(two.liar, KEPT);
  await pass(60_000, [two.liar]);

  await pass(60_000, [two.liar, two.honest]);
  await answers(two.honest, KEPT);

  expect(await present()).toMatchObject({ status: 'stopped', why: 'mia stopped it.' });
  expect((await present()).stages[0]?.items[0]?.output.commit).toBe(WORK);
});

test('given checks under way on a machine that falls silent, when a person stops the run, then it is stopped, and the checks do not begin when the machine is back', async () => {
  const given = await atWork([BUILD, CHECK]);
  const { two, pass, hears, present } = given;
  await keeps(given);
  const check = given.askedOf(two.honest);
  await pass(LEASE_MS, [two.liar]);

  await hears(STOP);
  await pass(LEASE_MS + 30_000, [two.liar]);

  expect(check?.query.kind).toBe('run-check');
  expect((await present()).status).toBe('stopped');
  expect(given.askedOf(two.honest)).toBeNull();
});

test('given a merge under way on a machine that falls silent, when a person stops the run, then it is stopped, and says that the merge may have happened or may yet', async () => {
  const given = await atWork([BUILD, MERGE]);
  const { two, pass, hears, present } = given;
  await keeps(given);
  const [question] = (await present()).questions;
  const yes = { option: 'accept', by: 'mia', words: '', parts: null, commit: WORK } as const;
  await hears({ kind: 'answered', question: question?.id ?? '', ...yes });
  const asked = given.askedOf(two.honest);
  await pass(LEASE_MS, [two.liar]);

  await hears(STOP);
  await pass(LEASE_MS + 30_000, [two.liar]);
  const { status, stages } = await present();
  await given.answers(two.honest, { kind: 'run-landed', commit: 'd'.repeat(40), offered: null });

  expect(asked?.query.kind).toBe('run-land');
  expect(status).toBe('stopped');
  expect(stages[1]?.items[0]?.progress).toMatchObject({ why: expect.stringContaining(`it may have merged ${WORK}`) });
  expect(await present()).toMatchObject({ status: 'stopped', merged: 'd'.repeat(40) });
});

test('given a run that ends by itself, when a machine is away, then it is waited for as always, for an hour', async () => {
  const given = await atWork();
  const { two, pass, present, hears } = given;
  await hears({ kind: 'home-changed', isAway: false });
  const run = await given.ctx.store.readRun(given.run.id);
  if (run === null) throw new Error('The run is gone');
  const ending = { as: 'failed', why: 'Its budget is spent.', code: null } as const;
  await given.ctx.store.transaction((tx) => tx.saveRun({ ...run, state: { ...run.state, ending } }));
  await pass(LEASE_MS, [two.honest]);
  await hears({ kind: 'home-changed', isAway: false });

  await pass(50 * 60_000, [two.honest]);
  const early = (await present()).status;
  await pass(12 * 60_000, [two.honest]);

  expect(early).toBe('stopping');
  expect((await present()).status).toBe('failed');
});

test('given finished work on another machine, when a person revokes the one of the run, then a person hears where the commit is; once it is let in, that commit is brought there', async () => {
  const given = await atWork();
  const { ctx, two, nature, hears, answers, present, finishes, rowOf } = given;
  await finishes();
  await answers(two.liar, KEPT);
  expect(given.askedOf(two.honest)?.query.kind).toBe('run-bring');

  expect(await createMachineFleet(ctx).revokeMachine({ name: two.honest.name }, MIA)).toMatchObject({ kind: 'ok' });
  await settled(ctx);
  await answers(two.liar, KEPT);
  const [question] = (await present()).questions;
  const held = rowOf('ada').state.task.kind;
  const machine = two.database.machines.get(two.honest.id);
  if (machine !== undefined)
    two.database.put(two.database.machines, machine.id, { ...machine, revokedAt: null, lastSeenAt: nature.now });
  await hears({
    kind: 'answered',
    question: question?.id ?? '',
    option: 'again',
    by: 'mia',
    words: '',
    parts: null,
    commit: null,
  });
  await answers(two.liar, KEPT);
  const back = given.askedOf(two.honest);
  await answers(two.honest, KEPT);

  expect(question).toMatchObject({ about: 'lost', text: expect.stringContaining(`${WORK} is kept on "liar"`) });
  expect(question?.text).toContain('drover machine invite');
  expect(held).toBe('in-hand');
  expect(back?.query).toMatchObject({ kind: 'run-bring', machine: two.liar.id, commits: [WORK] });
  const [item] = (await present()).stages[0]?.items ?? [];
  expect(item).toMatchObject({ attempt: 1, output: { commit: WORK }, progress: { kind: 'settled', as: 'passed' } });
});

test('given work given to another worker because its machine was away, when the run is stopped and the first machine is back, then its agent is ended, too', async () => {
  const given = await atWork();
  const { two, pass, hears, present, rowOf } = given;
  const bea = await given.idle('bea', { machine: two.honest.name });
  const has = async () => (await present()).stages[0]?.items[0]?.worker?.workerId;
  for (let half = 0; half < 130 && (await has()) !== bea.id; half += 1) await pass(30_000, [two.honest]);
  expect(await has()).toBe(bea.id);

  await hears(STOP);
  await given.answers(two.honest, KEPT);

  expect((await present()).status).toBe('stopped');
  expect([rowOf('ada'), rowOf('bea')].map(({ state }) => state.task.kind)).toEqual(['none', 'none']);
  expect(rowOf('ada').state.session.interrupt).not.toBeNull();
});

test.each([
  ['revoked', false],
  ['removed', true],
])(
  'given a run that is being stopped, when the machine of its task is %s meanwhile, then it comes to its end',
  async (_, isRemoved) => {
    const given = await atWork();
    const { ctx, two, pass, hears, present } = given;
    await pass(LEASE_MS, [two.honest]);
    await hears(STOP);
    const fleet = createMachineFleet(ctx);
    const { name } = two.liar;
    const gone = isRemoved
      ? await fleet.removeMachine({ name, force: true }, MIA)
      : await fleet.revokeMachine({ name }, MIA);

    await pass(5 * 60_000, [two.honest]);

    expect(gone.kind).toBe('ok');
    expect(await present()).toMatchObject({ status: 'stopped', why: 'mia stopped it.' });
  },
);
