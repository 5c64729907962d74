// Tests what every store must announce.
import { expect, test } from 'vitest';
import type { OpenStore } from '../open-store.ts';
import { id, seeded } from '../seeds.ts';
import { escalation } from '../row-seeds.ts';

/** Declares the tests; `open` gives each its own store. */
export function announcementContract(open: OpenStore): void {
  test('given a question that is seen, answered, applied and asked again, when it is followed, then each is announced once, in order, with who did it', async () => {
    await using given = await open();
    const { store } = given;
    const worker = await seeded(store);
    const row = escalation(worker);
    const start = (await store.followAnnouncements(null, 1)).settled;
    const change = (patch: object) =>
      store.transaction(async (tx) => {
        const now = await tx.lockEscalation(row.id);
        if (now !== null) await tx.saveEscalation({ ...now, ...patch });
      });
    const actor = { kind: 'person' as const, id: id(), name: 'ada' };
    const resolution = { option: 'retry', text: null, by: 'ada', actor, requestId: id(), at: 5 };

    await store.transaction((tx) => tx.openEscalation(row));
    await change({ status: 'open' });
    await change({ status: 'acked', ackedBy: 'bob' });
    await change({ status: 'resolved', resolution, application: 'applied' });
    await change({ status: 'open', asked: 2, resolution: null });
    await change({ status: 'expired' });
    const { items, isLost } = await store.followAnnouncements(start, 100);

    expect(isLost).toBe(false);
    expect(items.map(({ type, actor: who }) => `${type} ${who?.name ?? '-'}`)).toEqual([
      'escalation.opened -',
      'escalation.changed -',
      'escalation.acked bob',
      'escalation.resolved ada',
      'escalation.applied -',
      'escalation.reopened -',
      'escalation.closed -',
    ]);
    expect(items.map(({ id: cursor }) => cursor)).toEqual(
      items.map(({ id: cursor }) => cursor).toSorted((a, b) => a - b),
    );
    expect(items.at(-1)).toMatchObject({
      projectId: row.projectId,
      workerId: worker.id,
      subject: { kind: 'escalation', id: row.id, worker: row.workerName, status: 'expired', asked: 2 },
    });
  });

  test('given a worker, a task and a machine, when they come, change and go, then it is announced, and what changes nothing outside is not', async () => {
    await using given = await open();
    const { store } = given;
    const start = (await store.followAnnouncements(null, 1)).settled;
    const worker = await seeded(store);
    const state = { ...worker.state, lifecycle: { ...worker.state.lifecycle, status: 'working' as const } };
    const task = {
      id: id(),
      projectId: worker.projectId,
      workerId: worker.id,
      workerName: worker.name,
      prompt: 'x',
      createdAt: 1,
    };
    await store.transaction(async (tx) => {
      const now = await tx.lockWorker(worker.id);
      if (now === null) return;
      await tx.saveWorker({ ...now, state }, 5);
      await tx.saveWorker({ ...now, state, version: now.version + 1 }, 6);
      await tx.insertTask({ ...task, status: 'new', actor: { kind: 'person', id: id(), name: 'ada' } });
      await tx.setTaskStatus(task.id, 'accepted', 7);
      await tx.setTaskStatus(task.id, 'accepted', 8);
      await tx.deleteWorker(worker.id);
    });

    const { items } = await store.followAnnouncements(start, 100);

    expect(items.map(({ type, subject }) => `${type} ${subject['status'] ?? ''}`.trim())).toEqual([
      'machine.joined',
      'machine.connected',
      `worker.added ${worker.state.lifecycle.status}`,
      'worker.status working',
      'task.added new',
      'task.status accepted',
      'worker.removed',
    ]);
  });

  test('given what is too old to be kept, when a follower asks for what comes after it, then it is told that its cursor is lost, as with one of another database', async () => {
    await using given = await open();
    const { store } = given;
    const start = (await store.followAnnouncements(null, 1)).settled;
    const row = escalation(await seeded(store));
    await store.transaction((tx) => tx.openEscalation({ ...row, updatedAt: 1_000 }));

    await store.transaction((tx) => tx.prune(2_000, 100));
    const lost = await store.followAnnouncements(start, 10);
    const foreign = await store.followAnnouncements(10_000_000, 10);
    const fresh = await store.followAnnouncements(lost.settled, 10);

    expect([lost.isLost, foreign.isLost, fresh.isLost]).toEqual([true, true, false]);
  });
}
