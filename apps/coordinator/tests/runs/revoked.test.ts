/** Machines of a run that a person revokes, or that are away: what the run hears, and when. On a store in memory. */
import { decideRun, DEFAULT_POLICY, newRun } from '@drover/core';
import type { RunRequest, Stage } from '@drover/core';
import { expect, test } from 'vitest';
import { handleRunEvent } from '../../src/loop/runs/handle.ts';
import { runEventPayload } from '../../src/loop/runs/due.ts';
import { createMachineFleet } from '../../src/use-cases/machines/machines.ts';
import { machineChecksDue } from '../../src/use-cases/machines/lost.ts';
import { BASE, pinOf, scene, startOf, TREE, WORK } from '../support/carrying.ts';
import { heard, MIA } from '../support/placing.ts';

const WORK_OF = { role: 'developer', profile: null, ask: 'Do it.', tries: 1, returns: 'commit', check: null } as const;
const BUILD: Stage = { kind: 'task', name: 'build', ...WORK_OF, budget: { timeMs: null, tokens: null, money: null } };

type Scene = Awaited<ReturnType<typeof scene>>;

function checkOf(run: string): RunRequest {
  const commit = { item: 'build', commit: WORK, workerId: null };
  return { kind: 'check', id: `${run}:5`, item: 'build', commit, commands: [], join: null };
}

/** Gives `ada`, on another machine than the run's, the work. */
async function atWork(): Promise<Scene> {
  const given = await scene();
  await given.request(startOf(given.run.id));
  await given.answers(given.two.liar, { kind: 'run-pinned', commit: BASE, tree: TREE });
  expect(given.rowOf('ada').state.task.kind).toBe('in-hand');
  return given;
}

async function revoke({ ctx }: Scene, { name }: { readonly name: string }): Promise<void> {
  expect(await createMachineFleet(ctx).revokeMachine({ name }, MIA)).toMatchObject({ kind: 'ok' });
}

test('given a worker of a run, when a person revokes its machine, then the run hears at once that the machine is gone', async () => {
  const given = await atWork();

  await revoke(given, given.two.liar);

  expect(given.outcomes().at(-1)).toEqual({
    kind: 'machine-changed',
    workerId: given.ada.id,
    isAway: true,
    isGone: true,
  });
});

test('given work that a worker began while its machine was being revoked, when the patrol looks, then the run hears of it, too', async () => {
  const given = await atWork();
  const { ctx, two, nature, ada } = given;
  await ctx.store.transaction((tx) => tx.revokeMachine(two.liar.id, nature.now));

  const due = await machineChecksDue(ctx);

  const events = due.filter(({ kind }) => kind === 'run-event').map(({ payload }) => runEventPayload.parse(payload));
  expect(events).toMatchObject([
    { runId: given.run.id, event: { kind: 'machine-changed', workerId: ada.id, isGone: true } },
  ]);
});

test('given a machine that is let in again, when its run hears late that it was revoked, then its worker goes on', async () => {
  const given = await atWork();
  const { ctx, run, ada } = given;
  const event = { kind: 'machine-changed', workerId: ada.id, isAway: true, isGone: true } as const;

  await ctx.store.transaction((tx) =>
    handleRunEvent(ctx, tx, { runId: run.id, id: 'late', event, by: { kind: 'policy' } }),
  );

  const [last] = await ctx.store.listRunEvents(run.id, { after: 0, limit: 1 });
  expect(last?.event).toMatchObject({ isAway: false, isGone: false });
});

test('given checks under way on the machine with the commits, when a person revokes it, then the run hears at once that they cannot run', async () => {
  const given = await scene();
  const { ctx, two, run } = given;
  const { terms } = run.state;
  const begun = newRun({ ...terms, id: run.id, flow: { ...terms.flow, stages: [BUILD] } });
  const { run: state, requests } = decideRun(
    begun,
    { kind: 'requested' },
    { now: 1, random: 0, policy: DEFAULT_POLICY },
  );
  await ctx.store.transaction((tx) => tx.saveRun({ ...run, state }));
  await given.request({ ...checkOf(run.id), id: requests[0]?.id ?? '' });
  const asked = given.askedOf(two.honest);

  await revoke(given, two.honest);
  await given.work();

  expect(asked?.query.kind).toBe('run-check');
  expect(given.outcomes()).toMatchObject([{ kind: 'checked', how: 'cannot-run' }]);
});

test.each([
  ['a commit is to be kept that another machine has', (run: string, ada: string) => pinOf(run, ada)],
  ['checks are under way', (run: string) => checkOf(run)],
])(
  'given the machine with the commits away, when %s, then the run hears that it is away, once, and that it is back',
  async (_, requestOf) => {
    const given = await scene();
    const { ctx, two, nature, run, ada } = given;
    const news = (): readonly unknown[] => given.outcomes().filter(({ kind }) => kind === 'home-changed');
    await given.request(requestOf(run.id, ada.id));
    const before = news();

    nature.now += 10 * 60_000;
    const { id: machineId, epoch, agentEpoch } = two.liar;
    await ctx.store.touchMachine({ machineId, epoch, agentEpoch }, nature.now);
    await given.work();
    const away = news();
    const known = { ...run, seq: run.seq + 1, state: { ...run.state, isHomeAway: true } };
    await ctx.store.transaction((tx) => tx.saveRun(known));
    nature.now += 60_000;
    await heard(two);
    await given.work();

    expect(before).toEqual([]);
    expect(away).toEqual([{ kind: 'home-changed', isAway: true }]);
    expect(news().at(-1)).toEqual({ kind: 'home-changed', isAway: false });
  },
);
