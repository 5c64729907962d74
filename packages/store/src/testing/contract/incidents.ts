// What must every store do with what recovery keeps? A part of the store contract.
import { expect, test } from 'vitest';
import type { OpenStore } from './open-store.ts';
import { seeded } from './seeds.ts';
import { checkpoint, error, escalation, incident, queueItem } from './row-seeds.ts';

/** Declares the tests; `open` gives each its own store. */
export function recoveryContract(open: OpenStore): void {
  test('given an incident, when it is stored, raised and closed, then it comes back so, and its end is final', async () => {
    await using given = await open();
    const { store } = given;
    const row = incident(await seeded(store));

    const stored = await store.transaction((tx) => tx.insertIncident(row));
    const again = await store.transaction((tx) => tx.insertIncident({ ...row, attempts: 9 }));
    const closed = { ...row, level: 4, attempts: 3, closedAt: 20, outcome: 'recovered' } as const;
    await store.transaction((tx) => tx.saveIncident(closed));
    await store.transaction((tx) => tx.saveIncident({ ...closed, outcome: 'cancelled', closedAt: 30 }));

    expect([stored, again]).toEqual([true, false]);
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
      for (const row of [first, second, other]) await tx.insertError(row);
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
      for (const row of [meant, ...others]) await tx.insertError(row);
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
      for (const row of [one, other]) await tx.insertError(row);
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
      await tx.insertIncident(trouble);
      await tx.insertError(row);
    });
    expect(await store.listErrors({ open: true, limit: 10 })).toEqual([{ ...row, outcome: null }]);

    const ended = { ...trouble, closedAt: 30, outcome: 'cancelled' } as const;
    await store.transaction((tx) => tx.saveIncident(ended));

    expect(await store.listErrors({ open: true, limit: 10 })).toEqual([]);
    expect(await store.listErrors({ limit: 10 })).toEqual([{ ...row, outcome: 'cancelled' }]);
  });

  test('given an open escalation, when its key is asked again, then it counts; after its end a new one opens', async () => {
    await using given = await open();
    const { store } = given;
    const worker = await seeded(store);
    const row = escalation(worker);
    const repeat = escalation(worker, { dedupeKey: row.dedupeKey, updatedAt: 11 });

    const outcomes = [
      await store.transaction((tx) => tx.openEscalation(row)),
      await store.transaction((tx) => tx.openEscalation(repeat)),
    ];
    const twice = await store.readEscalation(row.id);
    const resolution = { option: 'retry', text: null, by: 'ann', orderId: repeat.id, at: 12 };
    await store.transaction(async (tx) => {
      const locked = await tx.lockEscalation(row.id);
      if (locked !== null)
        await tx.saveEscalation({ ...locked, status: 'resolved', resolution, application: 'applied' });
    });
    outcomes.push(await store.transaction((tx) => tx.openEscalation(repeat)));

    expect(outcomes).toEqual(['opened', 'repeated', 'opened']);
    expect(twice).toEqual({ ...row, occurrences: 2, version: 2, updatedAt: 11 });
    expect(await store.readEscalation(row.id)).toMatchObject({ status: 'resolved', resolution, version: 3 });
    expect(await store.listEscalations({ open: true, limit: 10 })).toEqual([repeat]);
  });

  test('given many who ask for one key at once, when all are done, then one escalation counted them all', async () => {
    await using given = await open();
    const { store } = given;
    const worker = await seeded(store);
    const rows = Array.from({ length: 8 }, () => escalation(worker, { dedupeKey: 'storm' }));

    const outcomes = await Promise.all(rows.map((row) => store.transaction((tx) => tx.openEscalation(row))));

    expect(outcomes.filter((outcome) => outcome === 'opened')).toHaveLength(1);
    expect(await store.listEscalations({ limit: 10 })).toMatchObject([{ occurrences: 8 }]);
  });

  test('given escalations, when they are looked for, then by member, incident and either end of the id', async () => {
    await using given = await open();
    const { store } = given;
    const worker = await seeded(store);
    const other = { workerId: incident(worker).id, workerName: 'bea', incidentId: incident(worker).id, over: false };
    const alone = escalation(worker);
    const storm = escalation(worker, { createdAt: 20, members: [...escalation(worker).members, other] });
    await store.transaction(async (tx) => {
      for (const row of [alone, storm]) await tx.openEscalation(row);
    });

    const found = async (filter: object): Promise<readonly string[]> =>
      (await store.listEscalations({ limit: 10, ...filter })).map((row) => row.id);

    expect(await found({})).toEqual([storm.id, alone.id]);
    expect(await found({ workerName: 'bea' })).toEqual([storm.id]);
    expect(await found({ workerId: worker.id })).toEqual([storm.id, alone.id]);
    expect(await found({ incidentId: other.incidentId })).toEqual([storm.id]);
    expect(await found({ since: 15 })).toEqual([storm.id]);
    expect(await found({ idPart: alone.id.slice(-6) })).toEqual([alone.id]);
    expect(await found({ idPart: alone.id.slice(0, 8) })).toEqual([storm.id, alone.id]);
    expect(await found({ dedupeKey: alone.dedupeKey })).toEqual([alone.id]);
  });

  test('given checkpoints, when they are stored twice and deleted, then each is there once, newest first', async () => {
    await using given = await open();
    const { store } = given;
    const worker = await seeded(store);
    const [older, newer] = [checkpoint(worker), checkpoint(worker, { createdAt: 20, type: 'manual', commit: null })];

    const stored = await store.transaction(async (tx) => [
      await tx.insertCheckpoint(older),
      await tx.insertCheckpoint(newer),
      await tx.insertCheckpoint(older),
    ]);
    const listed = await store.listCheckpoints({ workerName: worker.name, limit: 10 });
    await store.transaction((tx) => tx.deleteCheckpoints([newer.id]));

    expect(stored).toEqual([true, true, false]);
    expect(listed).toEqual([newer, older]);
    expect(await store.readCheckpoint(newer.id)).toBeNull();
    expect(await store.readCheckpoint(older.id)).toEqual(older);
  });

  test('given work items, when one is taken, then the others are still listed, and a repeat only counts', async () => {
    await using given = await open();
    const { store } = given;
    const worker = await seeded(store);
    const [later, urgent] = [queueItem(worker), queueItem(worker, { priority: 'S0', createdAt: 20 })];

    const filed = await store.transaction(async (tx) => [
      await tx.insertQueueItem(later),
      await tx.insertQueueItem(urgent),
      await tx.insertQueueItem(queueItem(worker, { dedupeKey: later.dedupeKey, updatedAt: 30 })),
    ]);
    const taken = await store.transaction(async (tx) => {
      const next = await tx.lockQueueItem(urgent.id);
      if (next !== null) await tx.saveQueueItem({ ...next, status: 'taken', workerId: worker.id });
      return next;
    });

    expect(filed).toEqual(['filed', 'filed', 'repeated']);
    expect(taken).toEqual(urgent);
    expect(await store.readQueueItem(urgent.id)).toEqual({ ...urgent, status: 'taken', workerId: worker.id });
    expect(await store.listQueueItems({ projectId: worker.projectId, status: ['open'], limit: 10 })).toEqual([
      { ...later, occurrences: 2, updatedAt: 30 },
    ]);
  });

  test('given an unknown account, when many lock it at once, then each sees what the last one wrote', async () => {
    await using given = await open();
    const { store } = given;
    const add = (): Promise<void> =>
      store.transaction(async (tx) => {
        const account = await tx.lockAccount('claude/team', 5);
        await tx.saveAccount({ ...account, state: { kind: 'open', since: account.state.since + 1 } });
      });

    const before = await store.transaction((tx) => tx.readAccount('claude/team'));
    await Promise.all(Array.from({ length: 8 }, add));

    expect(before).toBeNull();
    expect(await store.listAccounts()).toEqual([
      { key: 'claude/team', state: { kind: 'open', since: 8 }, updatedAt: 5 },
    ]);
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
      for (const row of [open_, closed]) await tx.insertIncident(row);
      for (const row of rows) await tx.insertError(row);
      for (const row of [asked, answered]) await tx.openEscalation(row);
      for (const row of [waits, done]) await tx.insertQueueItem(row);
    });

    await store.transaction((tx) => tx.prune(1_000));

    const limit = 10;
    expect((await store.listIncidents({ limit })).map(({ id: one }) => one)).toEqual([open_.id]);
    expect((await store.listErrors({ limit })).map(({ incidentId }) => incidentId)).toEqual([open_.id]);
    expect((await store.listEscalations({ limit })).map(({ id: one }) => one)).toEqual([asked.id]);
    expect((await store.listQueueItems({ limit })).map(({ id: one }) => one)).toEqual([waits.id]);
  });
}
