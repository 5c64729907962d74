// Questions to people: the tests that every store passes.
import { beginOncall, DEFAULT_ONCALL } from '@drover/core';
import { expect, test } from 'vitest';
import type { OpenStore } from './open-store.ts';
import { escalation, incident } from './row-seeds.ts';
import { seeded } from './seeds.ts';

/** Declares the tests; `open` gives each its own store. */
export function escalationContract(open: OpenStore): void {
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
    const resolution = {
      option: 'retry',
      text: null,
      by: 'ann',
      actor: { kind: 'policy' as const },
      requestId: repeat.id,
      at: 12,
    };
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

  test('given a key that is new, when an escalation of it is added, then it is open; a second one is an error, and nothing is changed', async () => {
    await using given = await open();
    const { store } = given;
    const worker = await seeded(store);
    const row = escalation(worker);
    await store.transaction((tx) => tx.addEscalation(row));

    const again = store.transaction((tx) => tx.addEscalation(escalation(worker, { dedupeKey: row.dedupeKey })));

    await expect(again).rejects.toThrow('duplicate key');
    expect(await store.listEscalations({ limit: 10 })).toEqual([row]);
  });

  test('given an answer, when it is kept, then it is found by its request, the first of an id stays, and it ends with its escalation', async () => {
    await using given = await open();
    const { store } = given;
    const worker = await seeded(store);
    const row = escalation(worker, { status: 'resolved', updatedAt: 10 });
    const response = {
      requestId: incident(worker).id,
      escalationId: row.id,
      kind: 'answer',
      until: null,
      asked: 2,
      option: 'retry',
      text: null,
      actor: { kind: 'person', id: 'x', name: 'ann' },
      reply: { kind: 'refused', code: 'stale' },
      at: 12,
    } as const;
    await store.transaction(async (tx) => {
      await tx.openEscalation(row);
      await tx.insertResponse(response);
      await tx.insertResponse({ ...response, option: 'skip' });
    });

    expect(await store.readResponse(response.requestId)).toEqual(response);
    expect(await store.listResponses(row.id)).toEqual([response]);
    expect(await store.transaction((tx) => tx.readResponse(row.id))).toBeNull();
    await store.transaction((tx) => tx.prune(11, 100));
    expect(await store.readResponse(response.requestId)).toBeNull();
  });

  test('given an escalation, when it is noted how far its calls are, then its version stays, because no card shows it', async () => {
    await using given = await open();
    const { store } = given;
    const row = escalation(await seeded(store));
    const oncall = beginOncall(DEFAULT_ONCALL, 10, 0);

    await store.transaction(async (tx) => {
      await tx.openEscalation(row);
      await tx.saveOncall(row.id, oncall);
    });

    expect(await store.readEscalation(row.id)).toEqual({ ...row, oncall });
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
}
