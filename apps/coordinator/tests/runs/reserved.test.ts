/** Workers that a run has reserved while commits are on their way, beside people and the work queue. On a store in memory. */
import { expect, test } from 'vitest';
import { drainDueWork } from '../../src/due/drain.ts';
import { createWorkerFleet } from '../../src/use-cases/workers/fleet.ts';
import { workerOptions } from '@drover/store/testing';
import { BASE, FAILED, scene, startOf, TREE } from '../support/carrying.ts';
import { MIA, nameOf, WAITERS } from '../support/placing.ts';

const CAME = { kind: 'run-pinned', commit: BASE, tree: TREE } as const;

type Scene = Awaited<ReturnType<typeof scene>>;

/** Has `ada` of the other machine wait for the commits of the run. */
async function reserved(): Promise<Scene> {
  const given = await scene();
  await given.request(startOf(given.run.id));
  expect(given.askedOf(given.two.liar)?.query.kind).toBe('run-bring');
  return given;
}

async function queued({ queue, id }: Scene): Promise<void> {
  const added = await queue.addToQueue({ requestId: id(), priority: 'S2', prompt: 'mend it' }, MIA);
  expect(added.kind).toBe('ok');
}

function taskOf({ rowOf }: Scene, name: string): unknown {
  const { task } = rowOf(name).state;
  return task.kind === 'in-hand' ? (task.run?.item ?? 'own') : task.kind;
}

test('given a worker that waits for commits of a run, when a person starts a task for anybody, then another worker gets it, or the refusal says what the first one is about to do', async () => {
  const given = await reserved();

  const refused = await given.start();
  await given.idle('eve', { machine: given.two.honest.name });
  const started = await given.start();

  expect(nameOf(refused)).toContain('ada is about to begin work of a run');
  expect(nameOf(started)).toBe('eve on honest');
  await given.answers(given.two.liar, CAME);
  expect([taskOf(given, 'ada'), taskOf(given, 'eve')]).toEqual(['build', 'own']);
});

test('given a worker that waits for commits of a run, when a person names it, then the person has it, and the run is told that it waits', async () => {
  const given = await reserved();

  const started = await given.start({ name: 'ada' });
  await given.answers(given.two.liar, CAME);
  given.nature.now += 100;
  await given.work();

  expect(started.kind).toBe('ok');
  expect(taskOf(given, 'ada')).toBe('own');
  expect(given.outcomes().at(-1)).toMatchObject({ kind: 'not-placed', why: 'busy' });
});

test('given a worker that waits for commits of a run, when an item is queued, then the item waits and says why; if the commits do not come, the worker gets the item', async () => {
  const given = await reserved();
  const { ctx, queue } = given;

  await queued(given);
  await drainDueWork(ctx);
  const listed = await queue.listQueue({ all: false, limit: 10 }, MIA);
  const during = taskOf(given, 'ada');
  await given.answers(given.two.liar, FAILED);
  await drainDueWork(ctx);

  expect(during).toBe('none');
  expect(listed).toMatchObject([{ nowhere: 'ada is about to begin work of a run' }]);
  expect(taskOf(given, 'ada')).toBe('own');
});

test('given an item that the queue gives to the worker which a run chooses at the same moment, when the commits are there, then the item stays, and the run looks for another worker', async () => {
  const given = await scene();
  const { ctx, two } = given;
  await queued(given);
  const blind = { ...ctx, store: { ...ctx.store, transaction: blinded(ctx) } };

  await given.request(startOf(given.run.id));
  await drainDueWork(blind);
  await given.answers(two.liar, CAME);
  given.nature.now += 100;
  await given.work();

  expect(taskOf(given, 'ada')).toBe('own');
  expect(given.outcomes().at(-1)).toMatchObject({ kind: 'not-placed', why: 'busy' });
});

/** Hides reservations, as they are for a transaction that began a moment earlier. */
function blinded({ store }: Scene['ctx']): typeof store.transaction {
  return (work) =>
    store.transaction((tx) =>
      work(Object.create(tx, { listReservations: { value: () => Promise.resolve([]) } }) as typeof tx),
    );
}

test('given a worker that waits for commits of a run, when a person removes it meanwhile, then another worker has the work', async () => {
  const given = await reserved();
  const { ctx, two, id } = given;
  const workers = createWorkerFleet(ctx, { ...WAITERS, defaults: () => ({ ...workerOptions(), profiles: ['sim'] }) });
  await given.idle('eve', { machine: two.honest.name });

  const removed = await workers.nuke({ requestId: id(), name: 'ada', force: true }, MIA);
  await given.answers(two.liar, CAME);
  given.nature.now += 100;
  await given.work();

  expect(removed.kind).toBe('ok');
  expect(taskOf(given, 'eve')).toBe('build');
});
