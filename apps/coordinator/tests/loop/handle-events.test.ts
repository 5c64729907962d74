/** Events of several workers: they are locked at once and saved at once, and each decision sees the necessary changes of previous ones. */
import { newWorker } from '@drover/core';
import type { WorkerEvent } from '@drover/core';
import { createMemoryStore, MemoryDatabase } from '@drover/store/testing';
import { expect, test } from 'vitest';
import { handleEvents } from '../../src/loop/handle-events.ts';
import type { EventFor } from '../../src/loop/handle-events.ts';
import {
  asks,
  changed,
  contextOf,
  failed,
  incidentOf,
  Nature,
  recorded,
  sayHello,
  withWorkers,
} from '../support/scene.ts';

const MOVED = { kind: 'default-branch-moved' } as const;
const UP = { kind: 'up-requested' } as const;

/** Builds workers of one machine, and notes the statements of each transaction from now on. */
async function scene(names: readonly string[]) {
  const database = new MemoryDatabase();
  const statements: string[] = [];
  const store = createMemoryStore({
    database,
    sleep: () => Promise.resolve(),
    random: () => 0,
    fault: ({ at, method }) => {
      if (at === 'statement') statements.push(method);
      return null;
    },
  });
  const ctx = contextOf(store, new Nature());
  const rows = await withWorkers(ctx, names);
  const [first] = rows;
  if (first === undefined) throw new Error('There is no worker');
  await sayHello(ctx, first, 'buffer');
  const by = { kind: 'machine', id: first.machineId, name: 'laptop' } as const;
  const forRow = (index: number, event: WorkerEvent): EventFor => ({ workerId: rows[index]?.id ?? '', event, by });
  // The policy is kept beside the first decision under it.
  const warm = await store.transaction((tx) => handleEvents(ctx, tx, [forRow(0, MOVED)]));
  for (const outcome of warm) outcome?.hint();
  const handle = async (events: readonly EventFor[]): Promise<readonly string[]> => {
    statements.splice(0);
    await store.transaction((tx) => handleEvents(ctx, tx, events));
    return statements.splice(0);
  };
  return { ctx, database, store, rows, by, forRow, handle, statements };
}

test('given events of several workers, when they are taken, then the rows are locked at once, shared facts are read once, and all is saved at once', async () => {
  const { forRow, handle } = await scene(['a', 'b', 'c']);

  const statements = await handle([0, 1, 2].map((index) => forRow(index, MOVED)));

  expect(statements).toEqual(['lockWorkers', 'readProject', 'readMachine', 'saveDecisions']);
});

test('given two events of one worker, when they are taken, then the first is saved and the row read again before the second', async () => {
  const { database, rows, forRow, handle } = await scene(['a', 'b']);
  const before = rows[0]?.version ?? 0;

  const statements = await handle([0, 1, 0].map((index) => forRow(index, MOVED)));

  const once = ['lockWorkers', 'readProject', 'readMachine', 'saveDecisions'];
  expect(statements).toEqual([...once, 'lockWorker', 'saveDecisions']);
  expect(database.workers.get(rows[0]?.id ?? '')?.version).toBe(before + 3);
});

test('given a decision that asks for facts of others, when it comes in a list, then what was decided before it is saved first', async () => {
  const { database, rows, forRow, handle } = await scene(['a', 'b']);
  const [, second] = rows;
  if (second === undefined) throw new Error('There is no second worker');
  const accept = { pin: { head: 'h', tree: null }, nothing: false, since: 1, runs: [], red: null, maybe: null };
  const blank = newWorker();
  const step = { kind: 'waiting', accept, notBefore: null } as const;
  database.workers.set(second.id, { ...second, state: { ...blank, merge: { ...blank.merge, step } } });

  const statements = await handle([0, 1].map((index) => forRow(index, MOVED)));

  expect(statements.indexOf('saveDecisions')).toBeLessThan(statements.indexOf('lockProject'));
  expect(statements.filter((one) => one === 'saveDecisions')).toHaveLength(2);
});

test('given a list of which one is of a worker elsewhere, when it is taken, then that one has no outcome and the others are decided', async () => {
  const { ctx, store, by, forRow } = await scene(['a']);
  const stranger = { workerId: ctx.ids.uuid(), event: MOVED, by };

  const outcomes = await store.transaction((tx) => handleEvents(ctx, tx, [stranger, forRow(0, MOVED)]));

  expect(outcomes.map((outcome) => outcome?.reply.kind ?? null)).toEqual([null, 'accepted']);
});

test('given a list in which the policy fails on one, when it is taken, then nothing is saved', async () => {
  const { ctx, database, store, rows, forRow } = await scene(['a', 'b']);
  const versions = (): readonly (number | undefined)[] => rows.map(({ id }) => database.workers.get(id)?.version);
  const [before, outbox] = [versions(), database.outbox.size];
  let decisions = 0;
  const onDecision = (): void => {
    decisions += 1;
    if (decisions === 2) throw new Error('no');
  };

  const failing = store.transaction((tx) =>
    handleEvents(
      { ...ctx, onDecision },
      tx,
      [0, 1].map((index) => forRow(index, UP)),
    ),
  );

  await expect(failing).rejects.toThrow('no');
  expect(versions()).toEqual(before);
  expect(database.outbox.size).toBe(outbox);
});

test('given an error, a question and the end of errors in one decision, when it is saved, then rows come first, the question after them, and the errors stay in their order', async () => {
  const { ctx, store, rows, statements } = await scene(['a']);
  const [row] = rows;
  if (row === undefined) throw new Error('There is no worker');
  const fresh = ctx.ids.uuid();
  const loose = failed(null, 'before the task was over');
  const task = { kind: 'task', id: 't', status: 'failed' } as const;
  const after = changed(row.state, { incident: { open: incidentOf(fresh) } });
  const records = [loose, task, asks(fresh), failed(null, 'after it')];
  statements.splice(0);

  await store.transaction((tx) => recorded(ctx, tx, { row, after, event: MOVED, records, fresh }));

  const saved = statements.filter((one) =>
    /^(saveIncidents|insertErrors|endLooseErrors|insertEpisodes|addEscalation)$/.test(one),
  );
  expect(saved).toEqual([
    'saveIncidents',
    'insertErrors',
    'endLooseErrors',
    'insertErrors',
    'insertEpisodes',
    'addEscalation',
  ]);
});
