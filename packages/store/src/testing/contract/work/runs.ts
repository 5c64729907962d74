// Runs, their events and messages: the tests that every store passes.
import { expect, test } from 'vitest';
import type { RunEventRow, RunMessageRow, RunRow } from '../../../port/runs/runs.ts';
import type { Store } from '../../../port/store.ts';
import type { OpenStore } from '../open-store.ts';
import { runRow } from '../row-seeds.ts';
import { id } from '../seeds.ts';

/** Declares the tests; `open` gives each its own store. */
export function runContract(open: OpenStore): void {
  test('given a run, when it is added again, then the first one stays, with the flow that it began with', async () => {
    await using given = await open();
    const { store } = given;
    const row = await added(store);
    const flow = { digest: row.flow, name: 'other', text: 'other', createdAt: 9 };

    const again = await store.transaction(async (tx) => {
      await tx.keepFlow(flow);
      return tx.insertRun({ ...row, goal: 'another goal' });
    });

    expect(again).toBe('repeated');
    expect(await store.readRun(row.id)).toEqual(row);
    expect(await store.readFlow(row.flow)).toEqual({
      digest: row.flow,
      name: 'change',
      text: '# change',
      createdAt: 1,
    });
    expect(await store.readFlow('none')).toBeNull();
  });

  test('given a run, when two decide on it at once, then one waits for the other and sees what it saved', async () => {
    await using given = await open();
    const { store } = given;
    const row = await added(store);
    const raise = (): Promise<void> =>
      store.transaction(async (tx) => {
        const held = await tx.lockRun(row.id);
        if (held !== null) await tx.saveRun({ ...held, seq: held.seq + 1, updatedAt: held.updatedAt + 1 });
      });

    await Promise.all([raise(), raise(), raise()]);

    expect(await store.readRun(row.id)).toEqual({ ...row, seq: row.seq + 3, updatedAt: row.updatedAt + 3 });
  });

  test('given events of a run, when they are read after a number, then they come in order, and each id once', async () => {
    await using given = await open();
    const { store } = given;
    const row = await added(store);
    const events = [1, 2, 3].map((seq) => event(row, seq));
    await store.transaction(async (tx) => {
      for (const one of events) await tx.insertRunEvent(one);
    });

    const twice = store.transaction((tx) => tx.insertRunEvent({ ...event(row, 4), eventId: 'event-1' }));

    await expect(twice).rejects.toThrow(/already|duplicate/u);
    expect(await store.listRunEvents(row.id, { after: 1, limit: 10 })).toEqual(events.slice(1));
    expect(await store.listRunEvents(row.id, { after: 0, limit: 1 })).toEqual(events.slice(0, 1));
    const known = await store.transaction(async (tx) => [
      await tx.hasRunEvent(row.id, 'event-3'),
      await tx.hasRunEvent(row.id, 'event-4'),
    ]);
    expect(known).toEqual([true, false]);
  });

  test('given runs, when they are listed, then the newest comes first, and an ended one is not open', async () => {
    await using given = await open();
    const { store } = given;
    const old = await added(store);
    const over = await added(store, { endedAt: 7, createdAt: 5 });
    const terms = { ...old.state.terms, retryOf: over.id };
    await store.transaction((tx) => tx.insertRun({ ...old, id: id(), createdAt: 9, state: { ...old.state, terms } }));

    const all = await store.listRuns({ limit: 10 });
    const waiting = await store.listRuns({ open: true, limit: 10 });
    const [newest] = all;

    expect(all.map(({ createdAt }) => createdAt)).toEqual([9, 5, 1]);
    expect(waiting.map(({ createdAt }) => createdAt)).toEqual([9, 1]);
    expect(await store.listRuns({ open: true, retryOf: over.id, limit: 10 })).toEqual([newest]);
    expect(await store.listRuns({ retryOf: old.id, limit: 10 })).toEqual([]);
    expect(await store.listRuns({ idPart: over.id.slice(-6), limit: 10 })).toEqual([over]);
    expect(await store.listRuns({ projectId: over.projectId, limit: 10 })).toEqual([over]);
    expect(await store.listRuns({ limit: 10, ...(newest && { after: newest }) })).toHaveLength(2);
  });

  test('given requests of runs, when reservations are listed, then those of workers that wait for commits are, with the row of each', async () => {
    await using given = await open();
    const { store } = given;
    const request = { kind: 'run-request', dueAt: 1 } as const;
    await store.transaction((tx) =>
      tx.schedule([
        { ...request, key: 'r r:1', payload: { runId: 'r' } },
        { ...request, key: 'r r:2', payload: { runId: 'r', reserved: 'w' } },
        { ...request, kind: 'run-event', key: 'r e', payload: { reserved: 'w' } },
      ]),
    );

    expect(await store.listReservations()).toEqual([{ key: 'r r:2', workerId: 'w' }]);
  });

  test('given a run that changes its state, when announcements are read, then its beginning and the change are among them', async () => {
    await using given = await open();
    const { store } = given;
    const row = await added(store);
    await store.transaction((tx) => tx.saveRun({ ...row, seq: 2 }));
    await store.transaction((tx) => tx.saveRun({ ...row, seq: 3, status: 'finished', endedAt: 8, updatedAt: 8 }));

    const { items } = await store.followAnnouncements(0, 100);

    expect(items.filter(({ type }) => type.startsWith('run.'))).toMatchObject([
      { type: 'run.added', subject: { kind: 'run', id: row.id, flow: 'change', status: 'running' }, version: 1 },
      { type: 'run.status', subject: { status: 'finished', from: 'running' }, version: 3, actor: null },
    ]);
  });

  test('given messages of a run, when one is settled twice, then the first outcome stays', async () => {
    await using given = await open();
    const { store } = given;
    const row = await added(store);
    const [first, second] = [message(row, 1), message(row, 2)];
    await store.transaction(async (tx) => {
      await tx.insertRunMessage(second);
      await tx.insertRunMessage(first);
      await tx.insertRunMessage({ ...first, text: 'changed' });
      const settled = await tx.settleRunMessage(first.id, { state: 'delivered', why: null, updatedAt: 5 });
      const late = await tx.settleRunMessage(first.id, { state: 'expired', why: 'too late', updatedAt: 6 });
      expect([settled?.id, late]).toEqual([first.id, null]);
    });

    expect(await store.listRunMessages(row.id, 10)).toEqual([{ ...first, state: 'delivered', updatedAt: 5 }, second]);
  });

  test('given a run that ended long ago, when history is pruned, then it is gone with its events, and an open one stays', async () => {
    await using given = await open();
    const { store } = given;
    const over = await added(store, { endedAt: 3 });
    const still = await added(store);
    await store.transaction(async (tx) => {
      for (const row of [over, still]) {
        await tx.insertRunEvent(event(row, 1));
        await tx.insertRunMessage(message(row, 1));
      }
      await tx.prune(100, 1_000);
    });

    expect(await store.readRun(over.id)).toBeNull();
    expect(await store.listRunEvents(over.id, { after: 0, limit: 1 })).toEqual([]);
    expect(await store.listRunMessages(over.id, 1)).toEqual([]);
    expect(await store.readRun(still.id)).toEqual(still);
    expect(await store.listRunEvents(still.id, { after: 0, limit: 9 })).toHaveLength(1);
  });
}

let projects = 0;

async function added(store: Store, patch: Partial<RunRow> = {}): Promise<RunRow> {
  projects += 1;
  const project = await store.upsertProject(
    {
      id: id(),
      name: `of-run-${projects}`,
      source: '/s',
      root: '/r',
      defaultBranch: 'main',
      config: { copyFiles: [], validate: [], validateTimeoutMs: 1, runHooks: false, preamble: '' },
    },
    1,
  );
  const row = runRow({ projectId: project.id, machineId: id() }, patch);
  await store.transaction(async (tx) => {
    await tx.keepFlow({ digest: 'd1', name: 'change', text: '# change', createdAt: 1 });
    await tx.insertRun(row);
  });
  return row;
}

function event({ id: runId }: RunRow, seq: number): RunEventRow {
  return {
    runId,
    seq,
    eventId: `event-${seq}`,
    at: seq,
    kind: 'released',
    event: { kind: 'released', request: 'r:1', workerId: 'w' },
    actor: { kind: 'policy' },
    rules: ['released'],
    records: [],
  };
}

function message({ id: runId }: RunRow, at: number): RunMessageRow {
  const who = { sender: 'adam', receiver: '@reviewer', text: 'Look at a.ts' };
  return { id: id(), runId, ...who, state: 'queued', why: null, createdAt: at, updatedAt: at };
}
