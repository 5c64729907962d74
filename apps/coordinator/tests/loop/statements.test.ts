/** A batch of observations costs few statements, however many workers it is about. */
import { connect, createSqlStore } from '@drover/store';
import type { Database, WorkerRow } from '@drover/store';
import { openTestDatabase } from '@drover/store/testing';
import type { Observation } from '@drover/protocol';
import { expect, test } from 'vitest';
import { BATCH_MAX } from '../../src/loop/batches.ts';
import { handleEvent } from '../../src/loop/handle-events.ts';
import { takeObservations } from '../../src/use-cases/machines/observe.ts';
import { contextOf, Nature, sayHello, withWorkers } from '../support/scene.ts';

const BUFFER = '018f0000-0000-7000-8000-0000000000b0';

test('given twenty workers, when their machine tells the end of a command of each, then ten statements do, and errors of each cost five more', async () => {
  await using database = await openTestDatabase<Database>();
  await using connection = connect<Database>(database.connectionString, { log: () => {}, maxConnections: 1 });
  const statements: string[] = [];
  connection.pool.on('connect', (client) => {
    const query = client.query.bind(client) as (...given: readonly unknown[]) => unknown;
    Object.assign(client, {
      query: (...given: readonly unknown[]) => {
        statements.push(textOf(given[0]));
        return query(...given);
      },
    });
  });
  const store = createSqlStore(connection.db, { sleep: () => Promise.resolve(), random: () => 0 });
  const ctx = contextOf(store, new Nature());
  const rows = await withWorkers(
    ctx,
    Array.from({ length: BATCH_MAX }, (_, index) => `w${index}`),
  );
  const [first] = rows;
  if (first === undefined) throw new Error('There is no worker');
  await sayHello(ctx, first, BUFFER);
  const up = { event: { kind: 'up-requested' }, by: { kind: 'policy' } } as const;
  for (const { id: workerId } of rows) {
    const outcome = await store.transaction((tx) => handleEvent(ctx, tx, { workerId, ...up }));
    outcome?.hint();
  }
  let seq = 0;
  const take = async (bodyOf: (row: WorkerRow) => Observation['body']): Promise<readonly string[]> => {
    const machine = await store.readMachine(first.machineId);
    if (machine === null) throw new Error('There is no machine');
    const workers = await store.listWorkers();
    const observations = workers.map((row) => ({ seq: (seq += 1), at: 1, body: bodyOf(row) }));
    statements.splice(0);
    expect(await takeObservations(ctx, machine, { agentEpoch: BUFFER, observations })).toBe('taken');
    return statements.splice(0);
  };
  const commandIds = new Map<string, string>();
  const noteCommands = async (): Promise<void> => {
    for (const { id, workerId } of await store.takeCommands(first.machineId, 1, 2 * BATCH_MAX))
      commandIds.set(workerId, id);
  };
  const endOf = (row: WorkerRow, result: Extract<Observation['body'], { kind: 'result' }>['result']) =>
    ({
      kind: 'result',
      workerId: row.id,
      commandId: commandIds.get(row.id) ?? '',
      seq: row.state.command.inFlight?.seq ?? 0,
      result,
    }) as const;

  await noteCommands();
  await take((row) => endOf(row, { kind: 'prepared', base: 'a', head: 'a', saved: null }));
  await noteCommands();
  const opened = await take((row) => endOf(row, { kind: 'opened', incarnation: `1.1.%1.${row.name}` }));
  const exits = await take(({ id, state: { session } }) => {
    const incarnation = session.pane.kind === 'absent' ? '' : session.pane.incarnation;
    return {
      kind: 'exit',
      workerId: id,
      exit: { incarnation, status: 3, signal: null, lastLines: [], limit: null, at: 1 },
    };
  });

  expect(opened.slice(10)).toEqual([]);
  expect(exits.slice(15)).toEqual([]);
  expect((await store.listErrors({ limit: 100 })).length).toBe(BATCH_MAX);
  expect(new Set((await store.listWorkers()).map(({ state }) => state.command.inFlight?.seq ?? 0)).size).toBe(1);
});

function textOf(given: unknown): string {
  const text = typeof given === 'object' && given !== null && 'text' in given ? given.text : given;
  return String(text).trim().slice(0, 120);
}
