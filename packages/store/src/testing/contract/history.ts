// Observations, the decision log and receipts: the tests that every store passes.
import { expect, test } from 'vitest';
import type { Store } from '../../port/store.ts';
import type { WorkerRow } from '../../port/workers.ts';
import type { OpenStore } from './open-store.ts';
import { AGENT_EPOCH, eventOf, id, seeded } from './seeds.ts';

/** Transactions of the test with many writers. */
const WRITES = 200;
const WRITERS = 8;
const FOLLOWERS = 3;

/** Declares the tests; `open` gives each its own store. */
export function historyContract(open: OpenStore): void {
  feedContract(open);
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

    const first = await store.transaction(async (tx) => {
      const fresh = await tx.receiveReports(observation, [1]);
      await tx.insertObservations([observation]);
      return fresh;
    });
    const second = await store.transaction((tx) => tx.receiveReports(observation, [1, 2]));

    expect([first, second]).toEqual([[1], [2]]);
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

    const told = await store.listEvents({ of: { workerId: row.id }, limit: 10 });
    const first = (await store.replayableFrom(row.id, null)) ?? 0;
    const all = await store.listDecisions(row.id, { from: first, limit: 10 });

    expect(told.map(({ at, policy }) => [at, policy])).toEqual([
      [3, 'v'],
      [1, 'v'],
    ]);
    expect(all.map(({ facts }) => facts.now)).toEqual([1, 2, 3, 4]);
    expect(all[0]).toMatchObject({ event: { kind: 'up-requested' }, outcome: 'o1', policy: 'v', before });
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
    const told = await store.listEvents({ of: { workerId: row.id }, limit: 10 });

    const isDone = await store.transaction((tx) => tx.thinHistory(3, 100));
    await store.transaction((tx) => tx.thinHistory(3, 100));
    expect(isDone).toBe(true);

    const after = await store.listEvents({ of: { workerId: row.id }, limit: 10 });
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
    const requestId = id();
    await store.transaction((tx) => tx.insertEvent(eventOf(row, { requestId, at: 1 })));

    const found = await store.transaction((tx) => tx.findReply(row.id, requestId));
    const events = await store.listEvents({ of: { workerId: row.id }, limit: 10 });

    expect(found).toEqual({ kind: 'accepted' });
    expect(events).toMatchObject([{ requestId, rules: ['up'], at: 1 }]);
  });
}

/** Tests that a follower of the decision log misses nothing and sees nothing twice (X12). */
function feedContract(open: OpenStore): void {
  test('X12: given an event that commits after a later one, when the log is followed, then both come, once, in one order', async () => {
    await using given = await open();
    const { store } = given;
    const [slow, quick] = await slowAndQuick(store);
    const { added, commit } = addedLater(store, slow, 1);
    await added;
    await store.transaction((tx) => tx.insertEvent(eventOf(quick, { at: 2 })));

    const before = await store.followEvents({ after: 0, limit: 10 });
    const newest = await store.listEvents({ limit: 1 });
    const own = await store.followEvents({ of: { workerId: quick.id }, after: 0, limit: 10 });
    const ofProject = await store.followEvents({ of: { projectId: slow.projectId }, after: 0, limit: 10 });
    await commit();
    const after = await store.followEvents({ after: 0, limit: 10 });

    expect(before).toEqual({ events: [], isBehind: true });
    expect(newest).toEqual([]);
    expect(ofProject).toEqual({ events: [], isBehind: true });
    expect(own).toMatchObject({ events: [{ workerId: quick.id, at: 2 }], isBehind: false });
    expect(after).toMatchObject({ events: [{ at: 1 }, { at: 2 }], isBehind: false });
    expect((await store.followEvents({ after: after.events[0]?.id ?? 0, limit: 10 })).events).toMatchObject([
      { at: 2 },
    ]);
  });

  test('X12: given an event that is undone, when the log is followed, then what came meanwhile comes', async () => {
    await using given = await open();
    const { store } = given;
    const [slow, quick] = await slowAndQuick(store);
    const { added, undo } = addedLater(store, slow, 1);
    await added;
    await store.transaction((tx) => tx.insertEvent(eventOf(quick, { at: 2 })));

    await undo();

    expect(await store.followEvents({ after: 0, limit: 10 })).toMatchObject({ events: [{ at: 2 }], isBehind: false });
  });

  test('X12: given many writers whose commits come in any order, when several follow, then each sees every line once, in the same order', async () => {
    await using given = await open();
    const { store } = given;
    const rows = await workers(store, WRITERS);
    let isWritten = false;
    const writers = Promise.all(rows.map((row, index) => write(store, row, index))).then(() => (isWritten = true));

    const follow = async (): Promise<readonly number[]> => {
      const seen: number[] = [];
      for (;;) {
        const wasWritten = isWritten;
        const { events } = await store.followEvents({ after: seen.at(-1) ?? 0, limit: 7 });
        seen.push(...events.map((event) => event.id));
        if (events.length === 0 && wasWritten) return seen;
      }
    };
    const followers = await Promise.all(Array.from({ length: FOLLOWERS }, follow));
    await writers;

    const all = (await store.listEvents({ limit: WRITES * 2 })).map((event) => event.id).toReversed();
    expect(all).toHaveLength(WRITES);
    for (const seen of followers) expect(seen).toEqual(all);
  });
}

/** Makes one worker of the store, and others of which the log knows no more than their ids. */
async function workers(store: Store, count: number): Promise<readonly WorkerRow[]> {
  const row = await seeded(store);
  return Array.from({ length: count }, (_, index) => (index === 0 ? row : { ...row, id: id() }));
}

async function slowAndQuick(store: Store): Promise<readonly [WorkerRow, WorkerRow]> {
  const row = await seeded(store);
  return [row, { ...row, id: id() }];
}

/** Commits at once, or waits for the commits of others first. */
async function write(store: Store, row: WorkerRow, index: number): Promise<void> {
  for (let turn = 0; turn < WRITES / WRITERS; turn += 1)
    await store.transaction(async (tx) => {
      await tx.insertEvent(eventOf(row, { at: turn }));
      // A few round trips between the id and the commit, more of them for some.
      for (let trip = 0; trip < (index * 3 + turn) % 7; trip += 1) await tx.findReply(row.id, id());
    });
}

/** Begins a transaction that has added an event, and ends when told to. */
function addedLater(store: Store, row: WorkerRow, at: number) {
  const added = Promise.withResolvers<void>();
  const told = Promise.withResolvers<'commit' | 'undo'>();
  const over = store
    .transaction(async (tx) => {
      await tx.insertEvent(eventOf(row, { at }));
      // The transaction does not wait for a write. A read behind it is answered only after it.
      await tx.readProject(row.projectId);
      added.resolve();
      if ((await told.promise) === 'undo') throw new Error('undone');
    })
    .catch((error: unknown) => {
      if (!String(error).includes('undone')) throw error;
    });
  const end = (how: 'commit' | 'undo'): Promise<void> => {
    told.resolve(how);
    return over;
  };
  return { added: added.promise, commit: () => end('commit'), undo: () => end('undo') };
}
