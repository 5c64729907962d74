/** Work of a run on another machine than its commits: what is ordered when, and what follows each answer. On a store in memory. */
import { expect, test } from 'vitest';
import { askHome } from '../../src/use-cases/parcels/home.ts';
import { carryOutRunRequest } from '../../src/use-cases/runs/requests/carry-out.ts';
import { BASE, FAILED, KEPT, pinOf, scene, startOf, TREE, WORK } from '../support/carrying.ts';
import { heard, WAITERS } from '../support/placing.ts';

test('given the only free worker on another machine, when work is placed, then its machine brings the commit first, and the worker begins once it is there', async () => {
  const given = await scene();
  const { two, run, rowOf } = given;

  await given.request(startOf(run.id));
  const asked = given.askedOf(two.liar);
  const before = rowOf('ada').state.task.kind;
  await given.answers(two.liar, { kind: 'run-pinned', commit: BASE, tree: TREE });

  expect(asked?.query).toMatchObject({ kind: 'run-bring', machine: two.honest.id, commits: [BASE] });
  expect(before).toBe('none');
  expect(rowOf('ada').state.task).toMatchObject({ kind: 'in-hand', run: { item: 'build' } });
  expect(given.outcomes()).toMatchObject([{ kind: 'placed', workerId: given.ada.id }]);
});

test('given a worker that owes a commit, or a report alone, when its machine brings the commits, then it hears whose work would go back, and may refuse', async () => {
  const given = await scene();
  const { two, run, ada } = given;
  const start = startOf(run.id);
  const report = { ...start, id: `${run.id}:3`, item: { ...start.item, returns: 'report' } } as const;

  await given.request(start);
  const owesCommit = given.askedOf(two.liar);
  await given.answers(two.liar, { kind: 'failed', code: 'isolated', message: 'its work stays' });
  await given.request(report);

  expect(owesCommit).toMatchObject({ query: { kind: 'run-bring' }, as: ada.options.profile });
  expect(given.askedOf(two.liar)).toMatchObject({ query: { kind: 'run-bring' }, as: '' });
  expect(given.outcomes()).toMatchObject([{ kind: 'not-placed', why: 'never', unreached: [ada.id] }]);
});

test('given a request that is looked at while its answer comes, when that one and the next one go on, then one worker has the work', async () => {
  const given = await scene();
  const { ctx, two, nature, run } = given;
  const bea = await given.idle('bea', { machine: two.liar.name });
  await given.request(startOf(run.id));
  nature.now += 60_000;
  await heard(two);
  const due = await ctx.store.claimDueWork(nature.now, { limit: 100, leaseMs: 1_000 });
  const early = due.find(({ kind }) => kind === 'run-request');
  const { id: commandId = '' } = given.askedOf(two.liar) ?? {};
  await two.say(two.liar, { kind: 'answer', commandId, result: { kind: 'run-pinned', commit: BASE, tree: TREE } });

  // Another replica has taken it before.
  const first = early === undefined ? null : await carryOutRunRequest(ctx, early);
  await given.work();
  const late = early === undefined ? null : await carryOutRunRequest(ctx, early);

  expect([first, late]).toEqual([null, null]);
  const atWork = [given.rowOf('ada'), given.rowOf('bea')].filter(({ state }) => state.task.kind === 'in-hand');
  expect(atWork).toHaveLength(1);
  expect([given.ada.id, bea.id]).toContain(atWork[0]?.id);
  expect(given.outcomes()).toHaveLength(1);
});

test.each([
  ['ends', { ending: { as: 'stopped', why: 'mia stopped it.', code: null } }],
  ['pauses', { paused: { by: 'mia', since: 1 } }],
] as const)('given commits on their way, when the run %s, then the work begins nowhere', async (_, change) => {
  const given = await scene();
  const { ctx, two, run } = given;
  await given.request(startOf(run.id));
  await ctx.store.transaction((tx) => tx.saveRun({ ...run, state: { ...run.state, ...change } }));

  await given.answers(two.liar, { kind: 'run-pinned', commit: BASE, tree: TREE });

  expect(given.rowOf('ada').state.task.kind).toBe('none');
  expect(given.outcomes()).toMatchObject([{ kind: 'not-placed', why: 'busy' }]);
});

test('given a worker as free on the machine with the commits, when work is placed, then it gets the work at once, and nothing is carried', async () => {
  const given = await scene();
  const { two, run } = given;
  const bea = await given.idle('bea', { machine: two.honest.name });

  await given.request(startOf(run.id));

  expect([given.askedOf(two.liar), given.askedOf(two.honest)]).toEqual([null, null]);
  expect(given.outcomes()).toMatchObject([{ kind: 'placed', workerId: bea.id }]);
});

test('given commits that cannot be carried, when the machine says so, then the run hears which workers they do not reach', async () => {
  const given = await scene();
  const { two, run } = given;

  await given.request(startOf(run.id));
  await given.answers(two.liar, FAILED);
  await given.request(startOf(run.id, `${run.id}:3`));
  await given.answers(two.liar, { ...FAILED, code: 'home-away' });

  const [first, second] = given.outcomes();
  expect(first).toMatchObject({
    kind: 'not-placed',
    why: 'never',
    text: 'the parcel is damaged',
    unreached: [given.ada.id],
  });
  // The machine with the commits is away: nobody is to blame.
  expect(second).toMatchObject({ kind: 'not-placed', why: 'machine' });
});

test('given a machine that falls silent while it brings commits, when that is seen, then the work is placed again', async () => {
  const given = await scene();
  const { ctx, two, nature, run } = given;

  await given.request(startOf(run.id));
  nature.now += 60_000;
  await heard(two);
  await given.work();
  const still = given.outcomes();
  nature.now += 10 * 60_000;
  const { id: machineId, epoch, agentEpoch } = two.honest;
  await ctx.store.touchMachine({ machineId, epoch, agentEpoch }, nature.now);
  await given.work();

  expect(still).toEqual([]);
  expect(given.outcomes()).toMatchObject([{ kind: 'not-placed', why: 'busy' }]);
});

test('given the machine with the commits away, when work is placed, then it waits for that machine, though another has a free worker', async () => {
  const given = await scene();
  const { ctx, two, nature, run } = given;
  nature.now += 10 * 60_000;
  const { id: machineId, epoch, agentEpoch } = two.liar;
  await ctx.store.touchMachine({ machineId, epoch, agentEpoch }, nature.now);

  await given.request(startOf(run.id));

  expect(given.askedOf(two.liar)).toBeNull();
  expect(given.outcomes()).toMatchObject([
    { kind: 'not-placed', why: 'machine', text: expect.stringContaining('which has the commits of the run') },
  ]);
});

test('given two machines with a repository each and no home, when work is placed, then the worker of the other default branch does not get it', async () => {
  const given = await scene();
  const { ctx, two, run } = given;
  const [project] = await ctx.store.listProjects();
  if (project === undefined) throw new Error('no project');
  await ctx.store.upsertProject({ ...project, source: '/s' }, 2);

  await given.request(startOf(run.id));

  expect(given.askedOf(two.liar)).toBeNull();
  expect(given.outcomes()).toMatchObject([{ kind: 'not-placed', why: 'never' }]);
});

test('given work on another machine, when its commit is kept, then that machine keeps it first, the one of the run brings it, and only then the run hears of it', async () => {
  const given = await scene();
  const { two, run, ada } = given;

  await given.request(pinOf(run.id, ada.id));
  const there = given.askedOf(two.liar);
  await given.answers(two.liar, KEPT);
  const [back, early] = [given.askedOf(two.honest), given.outcomes()];
  await given.answers(two.honest, KEPT);

  expect(there?.query).toMatchObject({ kind: 'run-pin', commit: WORK, isCarried: true });
  expect(back?.query).toMatchObject({ kind: 'run-bring', machine: two.liar.id, commits: [WORK] });
  expect(early).toEqual([]);
  expect(given.outcomes()).toMatchObject([{ kind: 'pinned', request: `${run.id}:2`, commit: WORK, tree: TREE }]);
});

test('given a commit on its way back, when its machine is away, then it is asked again; when the parcel fails, then the run hears why', async () => {
  const given = await scene();
  const { two, run, ada } = given;

  await given.request(pinOf(run.id, ada.id));
  await given.answers(two.liar, KEPT);
  await given.answers(two.honest, { ...FAILED, code: 'home-away' });
  const again = given.askedOf(two.liar);
  await given.answers(two.liar, KEPT);
  await given.answers(two.honest, FAILED);

  expect(again?.query.kind).toBe('run-pin');
  expect(given.outcomes()).toMatchObject([{ kind: 'not-pinned', text: 'the parcel is damaged' }]);
});

test('given a finished task on a machine that is away, when its commit is kept, then the request waits for an hour without a try, and is asked once the machine is back', async () => {
  const given = await scene();
  const { ctx, two, nature, run, ada } = given;
  const stays = async ({ id: machineId, epoch, agentEpoch }: typeof two.honest): Promise<void> => {
    await ctx.store.touchMachine({ machineId, epoch, agentEpoch }, nature.now);
  };
  nature.now += 5 * 60_000;
  await stays(two.honest);
  await given.request(pinOf(run.id, ada.id));
  const early = given.askedOf(two.liar);
  for (let minute = 0; minute < 56; minute += 1) {
    nature.now += 60_000;
    await stays(two.honest);
    await given.work();
    if (minute === 30) expect(given.outcomes()).toEqual([]);
  }
  const late = given.outcomes();
  await stays(two.liar);
  await given.request({ ...pinOf(run.id, ada.id), id: `${run.id}:4` });

  expect(early).toBeNull();
  expect(late).toMatchObject([{ kind: 'not-pinned', text: expect.stringContaining('away') }]);
  expect(given.askedOf(two.liar)?.query.kind).toBe('run-pin');
});

test('given the machine of the run revoked, when a commit of its own worker is kept or work is placed, then the run hears at once that it is gone', async () => {
  const given = await scene();
  const { ctx, two, run, nature } = given;
  const bea = await given.idle('bea', { machine: two.honest.name });
  await ctx.store.transaction((tx) => tx.revokeMachine(two.honest.id, nature.now));

  await given.request(pinOf(run.id, bea.id));
  await given.request(startOf(run.id));

  expect(given.outcomes()).toMatchObject([
    { kind: 'not-pinned', text: 'the machine with the commits of the run is gone' },
    { kind: 'not-placed', why: 'no-commits' },
  ]);
});

test('given a machine that is to bring one commit, when it asks for that one, another one, or from another command, then it gets that one alone', async () => {
  const given = await scene();
  const { ctx, two, run, id } = given;
  await given.request(startOf(run.id));
  const command = given.askedOf(two.liar)?.id ?? '';
  // Time passes as soon as the call waits.
  const waiting = { ...ctx, clock: { ...ctx.clock, now: () => (given.nature.now += 5_000) } };
  const ask = (commit: string, of = command) =>
    askHome(waiting, WAITERS, {
      machine: two.liar,
      request: { command: of, id: id(), ask: { kind: 'run', commit, not: [], resend: false } },
    });

  const others = [await ask(WORK), await ask(BASE, id())];
  const asked = await ask(BASE);

  expect(others).toEqual([{ kind: 'unknown' }, { kind: 'unknown' }]);
  expect(asked).toEqual({ kind: 'under-way' });
  const packs = [...two.database.outbox.values()].filter(
    ({ body }) => body.kind === 'query' && body.query.kind === 'pack',
  );
  expect(packs.map(({ machineId, body }) => [machineId, body])).toMatchObject([
    [two.honest.id, { query: { of: 'run', commit: BASE } }],
  ]);
});
