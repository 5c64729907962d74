// Carries a checkpoint from the machine that keeps it to a worker of another one, also when a step fails.
import type { Query, QueryResult } from '@drover/protocol';
import type { CheckpointRow, WorkerRow } from '@drover/store';
import { createMemoryStore, MemoryDatabase } from '@drover/store/testing';
import { newWorker } from '@drover/core';
import { expect, test } from 'vitest';
import { Waiters } from '../../src/context/waiters.ts';
import { recover } from '../../src/use-cases/checkpoints/recover.ts';
import type { Context } from '../../src/context/context.ts';
import { contextOf, Nature, sayHello, withWorkers } from '../support/scene.ts';

const COMMIT = 'c'.repeat(40);
const TIP = 'd'.repeat(40);
const SHA = 'a'.repeat(64);
const WHOLE: QueryResult = {
  kind: 'checkpoint',
  damage: null,
  head: TIP,
  files: [],
  fileCount: 0,
  skipped: [],
  during: null,
};
const PACKED: QueryResult = { kind: 'packed', sha256: SHA, bytes: 3_000_000 };
const DAMAGED: QueryResult = { kind: 'failed', code: 'parcel-damaged', message: 'its SHA-256 is another one' };

/** Answer of a machine; null: none yet. */
type Answers = (query: Query, asked: readonly Query[]) => QueryResult | null;

const diligent: Answers = ({ kind }) => {
  switch (kind) {
    case 'read-checkpoint':
      return WHOLE;
    case 'tips':
      return { kind: 'tips', commits: [TIP] };
    case 'pack':
      return PACKED;
    default:
      return { kind: 'unpacked' };
  }
};

interface Fleet {
  readonly from: WorkerRow;
  readonly to: WorkerRow;
  readonly checkpoint: CheckpointRow;
  /** Answered queries about parcels, with the machine that was asked. */
  readonly asked: (readonly [machine: 'from' | 'to', query: Query])[];
  answers: Answers;
  recover(change?: { dryRun?: boolean; requestId?: string; replica?: 'other' }): ReturnType<typeof recover>;
  /** Removes the worker of the checkpoint from the fleet; its machine keeps the clone. */
  removeHolder(): Promise<unknown>;
  /** Returns the commit to which the receiving worker must return. */
  restoring(): string | null;
}

/** Builds two machines with a worker each, and a checkpoint of the first worker. Time passes as soon as a call waits. */
async function fleet(): Promise<Fleet> {
  const database = new MemoryDatabase();
  const nature = new Nature();
  const open = () => createMemoryStore({ database, sleep: () => Promise.resolve(), random: () => 0 });
  const store = open();
  const made = { answers: diligent };
  const asked: [machine: 'from' | 'to', query: Query][] = [];
  const work = async (): Promise<void> => {
    for (const { id, machineId, body } of database.outbox.values()) {
      if (body.kind !== 'query') continue;
      const result = made.answers(
        body.query,
        asked.map(([, query]) => query),
      );
      if (result === null) continue;
      asked.push([machineId === from?.machineId ? 'from' : 'to', body.query]);
      await store.transaction((tx) => tx.finishCommands([{ id, machineId, command: null, result }], nature.now));
    }
  };
  const after: Context['clock']['after'] = (ms, run) => {
    nature.now += ms;
    void work().then(run);
    return () => {};
  };
  const ctx: Context = { ...contextOf(store, nature), clock: { now: () => nature.now, after } };
  const other: Context = { ...ctx, store: open() };
  const [from, second] = await withWorkers(ctx, ['alba', 'bert']);
  if (from === undefined || second === undefined) throw new Error('no workers');
  await store.transaction((tx) => tx.deleteWorker(second.id));
  await store.createJoinToken({ sha256: 'u', expiresAt: 10, now: 1 });
  const join = { id: nature.uuid(), name: 'server', publicKey: 'l', tokenSha256: 'u', now: 1 };
  const joined = await store.joinMachine(join);
  if (joined.kind !== 'joined') throw new Error(joined.kind);
  const idle = newWorker();
  const state = { ...idle, lifecycle: { ...idle.lifecycle, status: 'idle' as const } };
  const to = { ...second, state, machineId: joined.machineId };
  await store.transaction((tx) => tx.insertWorker(to));
  for (const row of [from, to]) await sayHello(ctx, row, nature.uuid());
  const checkpoint: CheckpointRow = {
    id: nature.uuid(),
    workerId: from.id,
    workerName: from.name,
    projectId: from.projectId,
    taskId: null,
    incidentId: null,
    type: 'manual',
    why: 'a test',
    files: 1,
    commit: COMMIT,
    base: null,
    conversation: null,
    prompt: 'Mend the gate',
    state: newWorker(),
    machineId: from.machineId,
    actor: { kind: 'policy' },
    createdAt: nature.now,
  };
  await store.transaction((tx) => tx.insertCheckpoint(checkpoint));
  const waiters = { commands: new Waiters(), events: new Waiters() };
  const firstId = nature.uuid();
  const by = { kind: 'person', id: 'ada', name: 'ada', role: 'admin', project: null, worker: null } as const;
  return Object.assign(made, {
    from,
    to,
    checkpoint,
    asked,
    recover: async ({ dryRun = false, requestId = firstId, replica }: Parameters<Fleet['recover']>[0] = {}) => {
      await Promise.all([from, to].map((row) => sayHello(ctx, row, nature.uuid())));
      const input = { requestId, worker: to.name, checkpoint: checkpoint.id, dryRun, resetAgent: false, by };
      return recover(replica === undefined ? ctx : other, waiters, input);
    },
    removeHolder: () => store.transaction((tx) => tx.deleteWorker(from.id)),
    restoring: () => database.workers.get(to.id)?.state.checkpoint.restore?.commit ?? null,
  });
}

const parcelsOf = ({ asked }: Fleet): unknown => asked.filter(([, { kind }]) => kind !== 'read-checkpoint');

test('given a checkpoint of another machine, when a worker is brought back to it, then it is packed for what the clone has, taken there, and restored', async () => {
  const given = await fleet();
  const { from, checkpoint } = given;

  const outcome = await given.recover();

  expect(outcome).toMatchObject({ kind: 'ok', value: { requested: true, fetching: null } });
  expect(outcome.kind === 'ok' && outcome.value.steps[0]).toBe('fetch the checkpoint from the machine "laptop"');
  expect(given.restoring()).toBe(COMMIT);
  const unpack = { kind: 'unpack', from: from.machineId, sha256: SHA, bytes: 3_000_000, commit: COMMIT };
  expect(parcelsOf(given)).toEqual([
    ['to', { kind: 'tips' }],
    ['from', { kind: 'pack', commit: COMMIT, not: [TIP], maxBytes: 1024 ** 3, resend: false }],
    ['to', { ...unpack, checkpoint: checkpoint.id }],
  ]);
});

test('given a machine that has no worker of the project any more, when a worker elsewhere is brought back to a checkpoint of it, then the machine is asked for its clone', async () => {
  const given = await fleet();
  await given.removeHolder();

  const outcome = await given.recover();

  expect(outcome).toMatchObject({ kind: 'ok', value: { requested: true, fetching: null } });
  expect(given.restoring()).toBe(COMMIT);
  expect(given.asked.map(([machine, { kind }]) => [machine, kind])).toEqual([
    ['from', 'read-checkpoint'],
    ['to', 'tips'],
    ['from', 'pack'],
    ['to', 'unpack'],
  ]);
});

test('given a dry run, when the checkpoint is on another machine, then it is looked at there and nothing is carried', async () => {
  const given = await fleet();

  const outcome = await given.recover({ dryRun: true });

  expect(outcome).toMatchObject({
    kind: 'ok',
    value: { requested: false, fetching: null, checkpoint: { machine: 'laptop' } },
  });
  expect(given.asked).toEqual([['from', { kind: 'read-checkpoint', commit: COMMIT }]]);
});

test('given a machine that takes long, when the request is repeated, also at another replica, then each step was given once, and the worker is left alone until it is there', async () => {
  const given = await fleet();
  const slow =
    (silent: Query['kind']): Answers =>
    (query) =>
      query.kind === silent ? null : diligent(query, []);

  given.answers = slow('pack');
  const packing = await given.recover();
  given.answers = slow('unpack');
  const fetching = await given.recover({ replica: 'other' });
  const untouched = given.restoring();
  given.answers = diligent;
  const done = await given.recover();
  const again = await given.recover({ replica: 'other' });

  expect(packing).toMatchObject({
    kind: 'ok',
    value: { requested: false, fetching: expect.stringContaining('"alba" packs') },
  });
  expect(fetching).toMatchObject({
    kind: 'ok',
    value: { requested: false, fetching: expect.stringContaining('3 MiB') },
  });
  expect(untouched).toBeNull();
  expect([done, again]).toMatchObject([{ value: { requested: true } }, { value: { requested: true } }]);
  expect(parcelsOf(given)).toHaveLength(3);
});

test('given a clone that lacks what the parcel builds on, when it is told, then the whole history is sent', async () => {
  const given = await fleet();
  given.answers = (query, asked) =>
    query.kind === 'unpack' && !asked.some(({ kind }) => kind === 'unpack')
      ? { kind: 'incomplete', missing: [TIP] }
      : diligent(query, asked);

  const outcome = await given.recover();

  expect(outcome).toMatchObject({ value: { requested: true } });
  const packs = given.asked.flatMap(([, query]) => (query.kind === 'pack' ? [query.not] : []));
  expect(packs).toEqual([[TIP], []]);
});

test('given a parcel that arrives damaged, or machine agents that are restarted, when it is carried, then it is sent anew, and after the third time a person is told', async () => {
  const given = await fleet();
  const trouble: QueryResult[] = [DAMAGED, { kind: 'failed', code: 'agent-restarted', message: 'it ended' }];
  given.answers = (query, asked) =>
    query.kind === 'unpack' ? (trouble.shift() ?? diligent(query, asked)) : diligent(query, asked);

  const outcome = await given.recover();
  given.answers = (query, asked) => (query.kind === 'unpack' ? DAMAGED : diligent(query, asked));
  const hopeless = await given.recover({ requestId: '01900000-0000-7000-8000-0000000000ff' });

  expect(outcome).toMatchObject({ value: { requested: true } });
  const packs = given.asked.flatMap(([, query]) => (query.kind === 'pack' ? [query.resend] : []));
  expect(packs).toEqual([false, true, true, false, true, true]);
  expect(hopeless).toMatchObject({ kind: 'refused', code: 'not-carried', message: expect.stringContaining('SHA-256') });
});

test('given a sender that cannot pack, when it is asked, then its words are told and nothing happens to the worker', async () => {
  const given = await fleet();
  const words = '"/r" is a shallow clone, which lacks older commits: run "git -C /r fetch --unshallow"';
  given.answers = (query, asked) =>
    query.kind === 'pack' ? { kind: 'failed', code: 'source-shallow', message: words } : diligent(query, asked);

  const outcome = await given.recover();

  expect(outcome).toMatchObject({ kind: 'refused', message: expect.stringContaining(words) });
  expect(given.restoring()).toBeNull();
});
