/** Parts of a run that are placed at the same time: no two choose one worker, also while commits are on their way. On a store in memory. */
import { expect, test } from 'vitest';
import { createMachineFleet } from '../../src/use-cases/machines/machines.ts';
import { BASE, FAILED, scene, startOf, TREE } from '../support/carrying.ts';
import { MIA } from '../support/placing.ts';

const CAME = { kind: 'run-pinned', commit: BASE, tree: TREE } as const;

type Scene = Awaited<ReturnType<typeof scene>>;

function partOf({ run }: Scene, part: number): ReturnType<typeof startOf> {
  const start = startOf(run.id, `${run.id}:${part}`);
  return { ...start, item: { ...start.item, item: `build/${part}` } };
}

/** Names the workers that have a part. */
function atWork({ rowOf }: Scene, names: readonly string[]): readonly string[] {
  return names.filter((name) => rowOf(name).state.task.kind === 'in-hand');
}

test('given parts of which one waits for its commits, when the next ones are placed, then its worker is not chosen again, and its machine counts as one at work', async () => {
  const given = await scene();
  const { two } = given;
  for (const name of ['bea', 'cid']) await given.idle(name, { machine: two.liar.name });
  for (const name of ['eve', 'fay']) await given.idle(name, { machine: two.honest.name });

  await given.request(partOf(given, 1));
  await given.request(partOf(given, 2));
  const first = given.askedOf(two.liar);
  await given.request(partOf(given, 3));

  expect(first?.query.kind).toBe('run-bring');
  expect(given.askedOf(two.liar)?.id).toBe(first?.id);
  expect(atWork(given, ['eve', 'fay'])).toHaveLength(2);
});

test('given two parts for one machine, when the commits of both are there, then two workers have them', async () => {
  const given = await scene();
  const { two } = given;
  await given.idle('bea', { machine: two.liar.name });

  await given.request(partOf(given, 1));
  await given.request(partOf(given, 2));
  await given.request(partOf(given, 3));
  const [third] = given.outcomes();
  await given.answers(two.liar, CAME);
  await given.answers(two.liar, CAME);

  expect(third).toMatchObject({ kind: 'not-placed', request: expect.stringMatching(/:3$/u), why: 'busy' });
  expect(atWork(given, ['ada', 'bea'])).toEqual(['ada', 'bea']);
});

test('given a part whose worker a person names for other work while commits come, when they are there, then another worker of that machine has it, and nothing is carried again', async () => {
  const given = await scene();
  const { two } = given;
  await given.request(partOf(given, 1));
  await given.start({ name: 'ada' });
  await given.idle('bea', { machine: two.liar.name });
  await given.idle('eve', { machine: two.honest.name });
  expect(atWork(given, ['ada'])).toEqual(['ada']);

  await given.answers(two.liar, CAME);

  expect(atWork(given, ['bea', 'eve'])).toEqual(['bea']);
  expect(given.askedOf(two.honest)).toBeNull();
});

test('given a choice that another replica made at the same moment, when the worker has other work by then, then another one is chosen at once, and the run hears of no refusal', async () => {
  const given = await scene();
  const { ctx, two, nature } = given;
  await given.idle('eve', { machine: two.honest.name });
  const stale = await ctx.store.listWorkers();
  await given.request(partOf(given, 1));

  const late = { ...ctx, store: { ...ctx.store, listWorkers: () => Promise.resolve(stale) } };
  await given.request(partOf(given, 2), late);
  nature.now += 100;
  await given.work();

  expect(atWork(given, ['eve', 'ada'])).toEqual(['eve']);
  expect(given.outcomes().map(({ kind }) => kind)).toEqual(['placed']);
  expect(given.askedOf(two.liar)?.query.kind).toBe('run-bring');
});

test('given two replicas that choose one worker for two parts, when commits are to be brought, then one of them sees that it is reserved, and waits', async () => {
  const given = await scene();
  const { ctx, two, nature } = given;
  await given.request(partOf(given, 1));
  const first = given.askedOf(two.liar);

  let looks = 0;
  const blind = () => ((looks += 1) === 1 ? Promise.resolve([]) : ctx.store.listReservations());
  await given.request(partOf(given, 2), { ...ctx, store: { ...ctx.store, listReservations: blind } });
  const then = given.outcomes();
  nature.now += 100;
  await given.work();

  expect(looks).toBe(1);
  expect(then).toEqual([]);
  expect(given.askedOf(two.liar)?.id).toBe(first?.id);
  expect(given.outcomes()).toMatchObject([{ kind: 'not-placed', why: 'busy' }]);
});

test('given commits that did not come, when the next part is placed, then the worker is free for it', async () => {
  const given = await scene();
  const { two } = given;
  await given.request(partOf(given, 1));
  await given.answers(two.liar, FAILED);

  await given.request(partOf(given, 2));

  expect(given.askedOf(two.liar)?.query.kind).toBe('run-bring');
});

test('given only machines that are away or that a person closed, when work is placed, then it waits for a machine, which costs no time', async () => {
  const given = await scene();
  const { ctx, two } = given;
  await given.idle('eve', { machine: two.honest.name });
  const fleet = createMachineFleet(ctx);
  for (const { name } of [two.honest, two.liar]) await fleet.cordonMachine({ name }, MIA);

  await given.request(partOf(given, 1));

  expect(given.outcomes()).toMatchObject([
    { kind: 'not-placed', why: 'machine', text: expect.stringContaining('cordoned') },
  ]);
});
