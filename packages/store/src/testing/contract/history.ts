// Observations, the decision log and receipts: the tests that every store passes.
import { expect, test } from 'vitest';
import type { OpenStore } from './open-store.ts';
import { AGENT_EPOCH, eventOf, id, seeded } from './seeds.ts';

/** Declares the tests; `open` gives each its own store. */
export function historyContract(open: OpenStore): void {
  test('given an observation, when it is stored again, then the store says that it knows it', async () => {
    await using given = await open();
    const { store } = given;
    const { machineId } = await seeded(store);
    const observation = {
      machineId,
      epoch: 1,
      agentEpoch: AGENT_EPOCH,
      seq: 1,
      workerId: null,
      body: { kind: 'panes', panes: [] },
      seenAt: 1,
      now: 2,
    } as const;

    const first = await store.transaction((tx) => tx.insertObservation(observation));
    const second = await store.transaction((tx) => tx.insertObservation(observation));

    expect([first, second]).toEqual(['stored', 'known']);
  });

  test('given quiet decisions among others, when history is read, then only the others are told, and all can be decided again', async () => {
    await using given = await open();
    const { store } = given;
    const row = await seeded(store);
    const before = row.state;
    for (const [at, quiet] of [
      [1, { before }],
      [2, {}],
      [3, { before }],
      [4, {}],
    ] as const)
      await store.transaction((tx) => tx.insertEvent(eventOf(row, { at, isQuiet: at % 2 === 0, ...quiet })));

    const told = await store.listEvents({ workerIds: [row.id], limit: 10 });
    const first = (await store.replayableFrom(row.id, null)) ?? 0;
    const all = await store.listDecisions(row.id, { from: first, limit: 10 });

    expect(told.map(({ at, policy }) => [at, policy])).toEqual([
      [3, 'v'],
      [1, 'v'],
    ]);
    expect(all.map(({ facts }) => facts.now)).toEqual([1, 2, 3, 4]);
    expect(all[0]).toMatchObject({ event: { kind: 'up-ordered' }, outcome: 'o1', policy: 'v', before });
    expect((await store.listDecisions(row.id, { from: first, limit: 2 })).length).toBe(2);
    expect(await store.replayableFrom(row.id, 2)).toBe(first);
    expect(await store.replayableFrom(row.id, 9)).toBe(all[2]?.id);
    expect(await store.replayableFrom(id(), null)).toBeNull();
  });

  test('given decisions of two days, when history is thinned, then it is told as before, and decided again from the second day on', async () => {
    await using given = await open();
    const { store } = given;
    const row = await seeded(store);
    const before = row.state;
    for (const at of [1, 2, 3, 4])
      await store.transaction((tx) => tx.insertEvent(eventOf(row, { at, isQuiet: at % 2 === 0, before })));
    const told = await store.listEvents({ workerIds: [row.id], limit: 10 });

    await store.transaction((tx) => tx.thinHistory(3));
    await store.transaction((tx) => tx.thinHistory(3));

    const after = await store.listEvents({ workerIds: [row.id], limit: 10 });
    expect(after.map(({ at, event }) => [at, event])).toEqual(told.map(({ at, event }) => [at, event]));
    const first = (await store.replayableFrom(row.id, 1)) ?? 0;
    expect(first).toBe(told[0]?.id);
    const all = await store.listDecisions(row.id, { from: 0, limit: 10 });
    expect(all.map(({ facts }) => facts.now)).toEqual([3, 4]);
  });

  test('given a request by a person, when it was answered before, then the answer is found', async () => {
    await using given = await open();
    const { store } = given;
    const row = await seeded(store);
    const orderId = id();
    await store.transaction((tx) => tx.insertEvent(eventOf(row, { orderId, at: 1 })));

    const found = await store.transaction((tx) => tx.findReply(row.id, orderId));
    const events = await store.listEvents({ workerIds: [row.id], limit: 10 });

    expect(found).toEqual({ kind: 'accepted' });
    expect(events).toMatchObject([{ orderId, rules: ['up'], at: 1 }]);
  });
}
