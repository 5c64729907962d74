// What must every store do? The tests that the SQL store passes, and any other behind the same port has to.
import { expect, test } from 'vitest';
import type { DueWork } from '../../port/due-work.ts';
import { queueContract } from './queue.ts';
import { ownershipContract } from './ownership.ts';
import { AGENT_EPOCH, command, eventOf, id, sayHello, seeded } from './seeds.ts';
import type { OpenStore } from './open-store.ts';
import { machineContract } from './machines.ts';
import { reviewsContract } from './reviews.ts';

/** Declares the tests; `open` gives each its own store. */
export function storeContract(open: OpenStore): void {
  queueContract(open);
  ownershipContract(open);
  reviewsContract(open);
  machineContract(open);

  test('given a worker, when its transaction fails, then nothing of it is kept', async () => {
    await using given = await open();
    const { store } = given;
    const row = await seeded(store);

    const failing = store.transaction(async (tx) => {
      await tx.saveWorker({ ...row, state: { ...row.state, note: 'changed' } }, 5);
      throw new Error('no');
    });

    await expect(failing).rejects.toThrow('no');
    expect((await store.readWorker(row.id))?.state.note).toBe('');
  });

  test('given two transactions on one worker, when both add to it, then none is lost', async () => {
    await using given = await open();
    const { store } = given;
    const { id: workerId } = await seeded(store);
    const add = (): Promise<void> =>
      store.transaction(async (tx) => {
        const row = await tx.lockWorker(workerId);
        if (row === null) throw new Error('gone');
        await tx.saveWorker({ ...row, state: { ...row.state, failures: row.state.failures + 1 } }, 5);
      });

    await Promise.all(Array.from({ length: 10 }, add));

    expect((await store.readWorker(workerId))?.state.failures).toBe(10);
    expect((await store.readWorker(workerId))?.version).toBe(11);
  });

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

  test('given a name, when a second worker takes it, then it is refused and the first is left alone', async () => {
    await using given = await open();
    const { store } = given;
    const row = await seeded(store);

    const outcome = await store.transaction((tx) => tx.insertWorker({ ...row, id: id() }));

    expect(outcome).toBe('name-taken');
    expect(await store.listWorkers()).toHaveLength(1);
  });

  test('given orders, when a machine takes them, then in their order, once for each epoch', async () => {
    await using given = await open();
    const { store } = given;
    const row = await seeded(store);
    const commands = [command(row, 1), command(row, 2)];
    await store.transaction((tx) => tx.insertCommands(commands, 1));

    const first = await store.takeCommands(row.machineId, 1, 10);
    const again = await store.takeCommands(row.machineId, 1, 10);
    const old = await store.takeCommands(row.machineId, 0, 10);

    expect(first.map((one) => one.id)).toEqual(commands.map((one) => one.id));
    expect([again, old]).toEqual([[], []]);
  });

  test('given an order that was sent and not acknowledged, when the machine says hello, then it is given again', async () => {
    await using given = await open();
    const { store } = given;
    const row = await seeded(store);
    const [known, lost] = [command(row, 1), command(row, 2)];
    await store.transaction((tx) => tx.insertCommands([known, lost], 1));
    await store.takeCommands(row.machineId, 1, 10);
    await store.ackCommands({ machineId: row.machineId, epoch: 1, agentEpoch: AGENT_EPOCH }, [known.id]);

    await sayHello(store, row.machineId);
    await store.resendCommands(row.machineId, 'unacknowledged');
    const taken = await store.takeCommands(row.machineId, 2, 10);

    expect(taken.map((one) => one.id)).toEqual([lost.id]);
  });

  test('given an older order, when it is dropped, then no machine gets it', async () => {
    await using given = await open();
    const { store } = given;
    const row = await seeded(store);
    const [old, present] = [command(row, 1), command(row, 2)];
    await store.transaction((tx) => tx.insertCommands([old, present], 1));

    await store.transaction((tx) => tx.dropCommandsBefore(row.id, 2));
    const taken = await store.takeCommands(row.machineId, 1, 10);

    expect(taken.map((one) => one.id)).toEqual([present.id]);
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

  test('given a policy, when it is kept again under its version, then the first stays', async () => {
    await using given = await open();
    const { store } = given;
    await store.transaction((tx) => tx.keepPolicy({ version: 'a', document: { n: 1 }, createdAt: 1 }));
    await store.transaction((tx) => tx.keepPolicy({ version: 'a', document: { n: 2 }, createdAt: 2 }));
    await store.transaction((tx) => tx.keepPolicy({ version: 'b', document: { n: 3 }, createdAt: 3 }));

    expect(await store.listPolicies()).toEqual([
      { version: 'b', document: { n: 3 }, createdAt: 3 },
      { version: 'a', document: { n: 1 }, createdAt: 1 },
    ]);
  });

  test('given deadlines, when the set is replaced, then only the new set is due', async () => {
    await using given = await open();
    const { store } = given;
    const { id: workerId } = await seeded(store);
    await store.transaction((tx) => tx.setDeadlines(workerId, { check: 100, settle: 50 }));

    await store.transaction((tx) => tx.setDeadlines(workerId, { check: 200 }));

    expect(await store.nextDueAt()).toBe(200);
    expect(await store.claimDueWork(199, { limit: 10, leaseMs: 10 })).toEqual([]);
    expect(await store.claimDueWork(200, { limit: 10, leaseMs: 10 })).toHaveLength(1);
  });

  test('given a worker, when a decision is saved, then its row, its deadlines and its history say so', async () => {
    await using given = await open();
    const { store } = given;
    const row = await seeded(store);
    await store.transaction((tx) => tx.setDeadlines(row.id, { check: 100, settle: 50 }));

    const state = { ...row.state, note: 'decided', deadlines: { check: 300 } };
    const event = eventOf(row, { at: 7 });
    await store.transaction((tx) => tx.saveDecision({ row: { ...row, state }, event }, 7));

    expect(await store.readWorker(row.id)).toMatchObject({ state: { note: 'decided' }, version: row.version + 1 });
    expect(await store.claimDueWork(300, { limit: 10, leaseMs: 10 })).toMatchObject([{ dueAt: 300 }]);
    expect(await store.listEvents({ workerIds: [row.id], limit: 10 })).toMatchObject([{ at: 7 }]);
  });

  test('given due work, when two ask for it, then one gets it, and the other when the lease is over', async () => {
    await using given = await open();
    const { store } = given;
    const work: DueWork = { kind: 'patrol', key: 'main', dueAt: 100, payload: { round: 1 } };
    await store.transaction((tx) => tx.schedule([work]));

    const claims = await Promise.all([1, 2].map(() => store.claimDueWork(100, { limit: 10, leaseMs: 30 })));
    const early = await store.claimDueWork(120, { limit: 10, leaseMs: 30 });
    const late = await store.claimDueWork(131, { limit: 10, leaseMs: 30 });

    expect(claims.flat()).toEqual([work]);
    expect(early).toEqual([]);
    expect(late).toEqual([work]);
  });

  test('given work that was armed again while it was done, when it is finished, then the new time stands', async () => {
    await using given = await open();
    const { store } = given;
    const work: DueWork = { kind: 'patrol', key: 'main', dueAt: 100, payload: {} };
    await store.transaction((tx) => tx.schedule([work]));
    await store.claimDueWork(100, { limit: 1, leaseMs: 30 });

    await store.transaction(async (tx) => {
      await tx.schedule([{ ...work, dueAt: 500 }]);
      await tx.finishDueWork(work);
    });

    expect(await store.nextDueAt()).toBe(500);
  });

  test('given an order by a person, when it was answered before, then the answer is found', async () => {
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

  test('given a profile, when it is replaced and taken back, then each change has a newer revision', async () => {
    await using given = await open();
    const { store } = given;

    const revisions = [
      (await store.readProfiles()).revision,
      await store.transaction((tx) => tx.putProfile('mine', { id: 'mine' }, 1)),
      await store.transaction((tx) => tx.putProfile('mine', { id: 'mine', name: 'Mine' }, 2)),
    ];
    const { documents } = await store.readProfiles();
    revisions.push(await store.transaction((tx) => tx.putProfile('mine', null, 3)));
    const after = await store.readProfiles();

    expect(documents).toEqual([{ name: 'mine', revision: revisions[2], document: { id: 'mine', name: 'Mine' } }]);
    expect(revisions).toEqual(revisions.toSorted((one, other) => one - other));
    expect(new Set(revisions).size).toBe(4);
    expect(after).toEqual({ revision: revisions[3], documents: [] });
  });

  test('given a removed worker, when its rows are gone, then its orders are not given out any more', async () => {
    await using given = await open();
    const { store } = given;
    const row = await seeded(store);
    await store.transaction((tx) => tx.insertCommands([command(row, 1)], 1));

    await store.transaction((tx) => tx.deleteWorker(row.id));

    expect(await store.readWorker(row.id)).toBeNull();
    expect(await store.takeCommands(row.machineId, 1, 10)).toEqual([]);
  });
}
