/** A request to one worker reads only that worker, however many there are. */
import type { Actor } from '@drover/api';
import type { Store, WorkerRow } from '@drover/store';
import { createMemoryStore, MemoryDatabase } from '@drover/store/testing';
import { expect, test } from 'vitest';
import { Waiters } from '../../src/context/waiters.ts';
import { createTaskFleet } from '../../src/use-cases/tasks/fleet.ts';
import { decideRequest } from '../../src/loop/subjects/requests.ts';
import { contextOf, Nature, withWorkers } from '../support/scene.ts';

const ADA: Actor = { kind: 'person', id: 'ada', name: 'ada', role: 'admin', project: null, worker: null };
const WORKERS = 5_000;

test('given 5,000 workers, when one is accepted and the end of its accept is asked for, then no row of another one is read', async () => {
  const database = new MemoryDatabase();
  const store = createMemoryStore({ database, sleep: () => Promise.resolve(), random: () => 0 });
  const read: string[] = [];
  const ctx = contextOf(noting(store, read), new Nature());
  const [row] = await withWorkers(ctx, ['w0']);
  if (row === undefined) throw new Error('There is no worker');
  for (let place = 1; place < WORKERS; place += 1) {
    const other = { ...row, id: ctx.ids.uuid(), name: `w${place}` };
    database.workers.set(other.id, other);
  }
  const fleet = createTaskFleet(ctx, { commands: new Waiters(), events: new Waiters() });
  const requestId = ctx.ids.uuid();
  await decideRequest(ctx, { row, requestId, by: ADA, event: () => ({ kind: 'up-requested' }) });
  read.length = 0;

  const accepted = await fleet.accept({ requestId: ctx.ids.uuid(), name: row.name }, ADA);
  const fate = await fleet.awaitAccept({ requestId, heldUp: null, waitMs: 0 }, ADA, undefined);

  expect(accepted).toMatchObject({ kind: 'refused', message: expect.stringContaining(row.name) });
  expect(fate).toMatchObject({ kind: 'ok', value: { kind: 'waits', worker: { name: row.name } } });
  expect(read).toEqual([row.id, row.id, row.id]);
});

/** Notes the id of each row of a worker that is read outside of a decision. */
function noting(store: Store, read: string[]): Store {
  const note = <Rows extends readonly Pick<WorkerRow, 'id'>[]>(rows: Rows): Rows => {
    read.push(...rows.map(({ id }) => id));
    return rows;
  };
  return {
    ...store,
    listWorkers: async (filter) => note(await store.listWorkers(filter)),
    listRoster: async (filter) => note(await store.listRoster(filter)),
    readWorker: async (id) => {
      const row = await store.readWorker(id);
      note(row === null ? [] : [row]);
      return row;
    },
  };
}
