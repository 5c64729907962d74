// Incidents, errors and episodes: the tests that every store passes.
import { expect, test } from 'vitest';
import type { OpenStore } from './open-store.ts';
import { error, escalation, incident, queueItem } from './row-seeds.ts';
import { seeded } from './seeds.ts';

/** Declares the tests; `open` gives each its own store. */
export function incidentContract(open: OpenStore): void {
  test('given an incident, when it is stored, raised and closed, then it comes back so, and its end is final', async () => {
    await using given = await open();
    const { store } = given;
    const row = incident(await seeded(store));

    await store.transaction((tx) => tx.saveIncidents([row]));
    const opened = await store.listIncidents({ limit: 10 });
    const closed = { ...row, level: 4, attempts: 3, closedAt: 20, outcome: 'recovered' } as const;
    await store.transaction((tx) => tx.saveIncidents([{ ...closed, openedAt: 15, workerName: 'other' }]));
    await store.transaction((tx) => tx.saveIncidents([{ ...closed, outcome: 'cancelled', closedAt: 30 }]));

    expect(opened).toEqual([row]);
    expect(await store.listIncidents({ limit: 10 })).toEqual([closed]);
    expect(await store.listIncidents({ open: true, limit: 10 })).toEqual([]);
    expect(await store.listIncidents({ workerName: row.workerName, since: 11, limit: 10 })).toEqual([]);
  });

  test('given errors, when they are looked for, then newest first, by worker, code, time and what is recovered', async () => {
    await using given = await open();
    const { store } = given;
    const worker = await seeded(store);
    const trouble = incident(worker);
    const [first, second] = [
      error(worker, { incidentId: trouble.id }),
      error(worker, { timestamp: 20, code: 'INPUT_LOST', incidentId: trouble.id }),
    ];
    const other = error(worker, { timestamp: 15, worker: 'bea' });
    await store.transaction(async (tx) => {
      for (const row of [first, second, other]) await tx.insertErrors([row]);
    });

    const cause = await store.transaction((tx) => tx.lastErrorOf(trouble.id));
    await store.transaction((tx) => tx.markErrorsRecovered(trouble.id, 30));
    await store.transaction((tx) => tx.markErrorsRecovered(trouble.id, 40));

    const marked = { recovered: true, recoveredAt: 30 };
    expect(cause).toBe(second.id);
    const outcome = null;
    expect(await store.listErrors({ limit: 10 })).toEqual([
      { ...second, ...marked, outcome },
      { ...other, outcome },
      { ...first, ...marked, outcome },
    ]);
    expect(await store.listErrors({ open: true, limit: 10 })).toEqual([{ ...other, outcome }]);
    expect(await store.listErrors({ code: 'INPUT_LOST', limit: 10 })).toHaveLength(1);
    expect(await store.listErrors({ workerName: 'adam', since: 15, limit: 10 })).toHaveLength(1);
    expect(await store.listErrors({ limit: 1 })).toHaveLength(1);
  });

  test('given errors, when evidence of one is saved, then it is read back with that error, and an unknown id changes nothing', async () => {
    await using given = await open();
    const { store } = given;
    const worker = await seeded(store);
    const [one, other] = [error(worker), error(worker)];
    const evidence = { pane: ['the last line'], git: ['## adam', ' M a.txt'] };

    const read = await store.transaction(async (tx) => {
      await tx.insertErrors([one, other]);
      await tx.saveEvidence(one.id, evidence);
      await tx.saveEvidence(worker.id, evidence);
      return Promise.all([one.id, other.id, worker.id].map((id) => tx.readError(id)));
    });

    expect(read).toEqual([{ ...one, evidence }, other, null]);
    expect(await store.listErrors({ idPart: one.id, limit: 10 })).toMatchObject([{ evidence }]);
  });

  test('given errors without an incident, when they are over, then only those of that worker, part and task are marked', async () => {
    await using given = await open();
    const { store } = given;
    const worker = await seeded(store);
    const of = { component: 'tool:Bash', task: 't' };
    const meant = error(worker, { ...of, timestamp: 20 });
    const others = [
      error(worker, { ...of, timestamp: 19, incidentId: incident(worker).id }),
      error(worker, { ...of, timestamp: 18, workerId: meant.id }),
      error(worker, { ...of, timestamp: 17, component: 'policy' }),
      error(worker, { ...of, timestamp: 16, task: 'another' }),
    ];
    await store.transaction(async (tx) => {
      for (const row of [meant, ...others]) await tx.insertErrors([row]);
    });
    const which = { workerId: worker.id, component: 'tool:' };

    const recovered = 'recovered' as const;
    await store.transaction((tx) => tx.endLooseErrors({ ...which, task: 't' }, { outcome: recovered, at: 30 }));
    const ofTheTask = await store.listErrors({ limit: 10 });
    await store.transaction((tx) => tx.endLooseErrors(which, { outcome: recovered, at: 40 }));
    const ofAll = await store.listErrors({ limit: 10 });

    const outcome = null;
    const left = others.map((row) => ({ ...row, outcome }));
    const over = { ...meant, recovered: true, recoveredAt: 30, outcome };
    expect(ofTheTask).toEqual([over, ...left]);
    expect(ofAll.map(({ recoveredAt }) => recoveredAt)).toEqual([30, null, null, null, 40]);
  });

  test('given errors without an incident, when they are called off, then they are over, say so, and stay as they ended first', async () => {
    await using given = await open();
    const { store } = given;
    const worker = await seeded(store);
    const [one, other] = [error(worker, { timestamp: 20 }), error(worker, { timestamp: 10, component: 'tool:Bash' })];
    await store.transaction(async (tx) => {
      for (const row of [one, other]) await tx.insertErrors([row]);
    });
    const all = { workerId: worker.id, component: '' };

    await store.transaction((tx) =>
      tx.endLooseErrors({ ...all, component: 'tool:' }, { outcome: 'recovered', at: 30 }),
    );
    await store.transaction((tx) => tx.endLooseErrors(all, { outcome: 'cancelled', at: 40 }));
    await store.transaction((tx) => tx.endLooseErrors(all, { outcome: 'recovered', at: 50 }));

    expect(await store.listErrors({ open: true, limit: 10 })).toEqual([]);
    expect(await store.listErrors({ limit: 10 })).toEqual([
      { ...one, calledOffAt: 40, outcome: 'cancelled' },
      { ...other, recovered: true, recoveredAt: 30, outcome: null },
    ]);
  });

  test('given an incident that was called off, when its errors are listed, then they are over and say how it ended', async () => {
    await using given = await open();
    const { store } = given;
    const worker = await seeded(store);
    const trouble = incident(worker);
    const row = error(worker, { incidentId: trouble.id });
    await store.transaction(async (tx) => {
      await tx.saveIncidents([trouble]);
      await tx.insertErrors([row]);
    });
    expect(await store.listErrors({ open: true, limit: 10 })).toEqual([{ ...row, outcome: null }]);

    const ended = { ...trouble, closedAt: 30, outcome: 'cancelled' } as const;
    await store.transaction((tx) => tx.saveIncidents([ended]));

    expect(await store.listErrors({ open: true, limit: 10 })).toEqual([]);
    expect(await store.listErrors({ limit: 10 })).toEqual([{ ...row, outcome: 'cancelled' }]);
  });

  test('given old rows, when they are pruned, then what is open stays, with its errors', async () => {
    await using given = await open();
    const { store } = given;
    const worker = await seeded(store);
    const [open_, closed] = [incident(worker), incident(worker, { closedAt: 20, outcome: 'recovered' })];
    const rows = [open_, closed].map(({ id: incidentId }) => error(worker, { incidentId }));
    const [asked, answered] = [escalation(worker), escalation(worker, { status: 'resolved' })];
    const [waits, done] = [queueItem(worker), queueItem(worker, { status: 'done' })];
    await store.transaction(async (tx) => {
      for (const row of [open_, closed]) await tx.saveIncidents([row]);
      for (const row of rows) await tx.insertErrors([row]);
      for (const row of [asked, answered]) await tx.openEscalation(row);
      for (const row of [waits, done]) await tx.insertQueueItem(row);
    });

    await store.transaction((tx) => tx.prune(1_000, 100));

    const limit = 10;
    expect((await store.listIncidents({ limit })).map(({ id: one }) => one)).toEqual([open_.id]);
    expect((await store.listErrors({ limit })).map(({ incidentId }) => incidentId)).toEqual([open_.id]);
    expect((await store.listEscalations({ limit })).map(({ id: one }) => one)).toEqual([asked.id]);
    expect((await store.listQueueItems({ limit })).map(({ id: one }) => one)).toEqual([waits.id]);
  });
}
