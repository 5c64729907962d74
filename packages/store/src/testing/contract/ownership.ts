// The tests of every store about what one machine can change of another's, and an old session of a new one's.
import type { CommandResult } from '@drover/core';
import { expect, test } from 'vitest';
import type { FinishedCommand, NewCommand } from '../../port/commands.ts';
import type { RefusedReports } from '../../port/history.ts';
import type { NewObservation } from '../../port/machines.ts';
import type { Store } from '../../port/store.ts';
import type { WorkerRow } from '../../port/workers.ts';
import type { OpenStore } from './open-store.ts';
import { AGENT_EPOCH, command, id, joined, sayHello, seeded } from './seeds.ts';

const CLOSED: CommandResult = { kind: 'closed' };

/** Declares the tests; `open` gives each its own store. */
export function ownershipContract(open: OpenStore): void {
  test('given an observation numbered very high, when it is stored, then no other buffer counts as stored', async () => {
    await using given = await open();
    const { store } = given;
    const [{ machineId }, other] = [await seeded(store), await joined(store, 'other')];

    // Reports from the same buffer for both machines.
    const huge = await report(store, [observation(other, { seq: 2 ** 52 })]);
    const same = await report(store, [observation(other, { seq: 1 })]);
    const own = await report(store, [observation(machineId, { seq: 1 })]);

    expect([huge, same, own]).toEqual([[2 ** 52], [1], [1]]);
    expect((await store.readMachine(machineId))?.storedThrough).toBe(1);
    expect((await store.readMachine(other))?.storedThrough).toBe(2 ** 52);
  });

  test('given several observations of which one is known, when they come together, then the others are new, and a session that is over stores none', async () => {
    await using given = await open();
    const { store } = given;
    const { machineId } = await seeded(store);
    await report(store, [observation(machineId, { seq: 2 })]);
    const all = [1, 2, 3].map((seq) => observation(machineId, { seq }));

    const fresh = await report(store, all);
    const again = await report(store, all);
    const over = await report(
      store,
      all.map((one) => ({ ...one, epoch: 0 })),
    );

    expect([fresh === 'superseded' ? fresh : fresh.toSorted(), again, over]).toEqual([[1, 3], [], 'superseded']);
    expect((await store.readMachine(machineId))?.storedThrough).toBe(3);
  });

  test('given two connections of one session that bring the same report, when both are taken at once, then it is new to one of them', async () => {
    await using given = await open();
    const { store } = given;
    const { machineId } = await seeded(store);
    const row = observation(machineId);

    const both = await Promise.all([report(store, [row]), report(store, [row])]);

    expect(both.toSorted((one, other) => other.length - one.length)).toEqual([[1], []]);
  });

  test('given refused reports, when more of them come, then they are counted by machine and reason, with the digest of the last', async () => {
    await using given = await open();
    const { store } = given;
    const [{ machineId }, other] = [await seeded(store), await joined(store, 'other')];

    const first = await store.transaction((tx) => tx.countRefusedReports(machineId, [refused(2, 'a')], 5));
    const more = [refused(1, 'b'), { ...refused(1, 'c'), reason: 'unknown-command' }];
    const second = await store.transaction((tx) => tx.countRefusedReports(machineId, more, 9));
    await store.transaction((tx) => tx.countRefusedReports(other, [refused(1, 'd')], 7));

    expect([first, second]).toEqual([['foreign-worker'], ['unknown-command']]);
    const records = await store.listRefusedReports();
    expect(records.filter((one) => one.machineId === machineId)).toEqual([
      { machineId, reason: 'foreign-worker', count: 3, bytes: 30, sha256: 'b', firstAt: 5, lastAt: 9 },
      { machineId, reason: 'unknown-command', count: 1, bytes: 10, sha256: 'c', firstAt: 9, lastAt: 9 },
    ]);
    await store.transaction(async (tx) => {
      await tx.prune(9, 100);
      await tx.removeMachine(other);
    });
    expect((await store.listRefusedReports()).map(({ reason }) => reason)).toEqual([
      'foreign-worker',
      'unknown-command',
    ]);
  });

  test('given machines, when their access is asked for, then it is that of each, and nothing of one that is not there', async () => {
    await using given = await open();
    const { store } = given;
    const [{ machineId }, other] = [await seeded(store), await joined(store, 'other')];
    await store.transaction((tx) => tx.revokeMachine(other, 7));

    const access = await store.listAccess([machineId, other, '01900000-0000-7000-8000-eeeeeeeeeeee']);

    const known = await store.readMachine(machineId);
    expect(access.find(({ id }) => id === machineId)).toMatchObject({ epoch: known?.epoch, revokedAt: null });
    expect(access.find(({ id }) => id === other)).toMatchObject({ revokedAt: 7, accessTokenExpiresAt: null });
    expect(access).toHaveLength(2);
  });

  test('given workers, when the roster is read, then it says of each what others go by', async () => {
    await using given = await open();
    const { store } = given;
    await seeded(store);

    const [whole] = await store.listWorkers();
    const [row] = await store.listRoster();
    const inside = await store.transaction((tx) => tx.listRoster({ machineId: whole?.machineId ?? '' }));

    const { lifecycle, merge, incident, move } = whole?.state ?? {};
    expect(row).toMatchObject({
      id: whole?.id,
      name: whole?.name,
      options: whole?.options,
      updatedAt: whole?.updatedAt,
    });
    expect(row?.state).toMatchObject({ lifecycle, merge, incident, move });
    expect(inside.map(({ id }) => id)).toEqual([whole?.id]);
    expect(await store.listRoster({ machineId: '01900000-0000-7000-8000-eeeeeeeeeeee' })).toEqual([]);
  });

  test('given workers, when those in one state are asked for, then others are not read, and all are counted', async () => {
    await using given = await open();
    const { store } = given;
    await seeded(store);
    const [{ state: { lifecycle: { status = 'idle' } = {} } = {} } = {}] = await store.listWorkers();
    const another = status === 'idle' ? 'working' : 'idle';

    expect(await store.listRoster({ status })).toHaveLength(1);
    expect(await store.listRoster({ status: another })).toEqual([]);
    expect(await store.countWorkers()).toEqual(new Map([[status, 1]]));
  });

  test.each<[string, Partial<NewObservation>]>([
    ['of a session that is over', { epoch: 0 }],
    ['of a session that has not begun', { epoch: 2 }],
    ['of another buffer than that of the hello', { agentEpoch: '01900000-0000-7000-8000-eeeeeeeeeeee' }],
  ])('given an observation %s, when it comes, then nothing is stored', async (_what, patch) => {
    await using given = await open();
    const { store } = given;
    const { machineId } = await seeded(store);

    const stored = await report(store, [{ ...observation(machineId), ...patch }]);

    expect(stored).toBe('superseded');
    expect((await store.readMachine(machineId))?.storedThrough).toBe(0);
    expect(await report(store, [observation(machineId)])).toEqual([1]);
  });

  test('given an observation that is being decided on, when its machine says hello, then the hello waits for the end of that', async () => {
    await using given = await open();
    const { store } = given;
    const { machineId } = await seeded(store);
    const ended: string[] = [];
    let greeting: Promise<unknown> = Promise.resolve();

    await store.transaction(async (tx) => {
      await tx.receiveReports(observation(machineId), [1]);
      greeting = sayHello(store, machineId).then(() => ended.push('hello'));
      // Runs as many statements as a hello takes, and more.
      for (let times = 0; times < 10; times += 1) await tx.readMachine(machineId);
      ended.push('observation');
    });
    await greeting;

    expect(ended).toEqual(['observation', 'hello']);
  });

  test('given a machine that said hello again, when its former session gives signs of life, then they count for nothing', async () => {
    await using given = await open();
    const { store } = given;
    const row = await seeded(store);
    const former = sessionOf(row.machineId, 1);
    const closing = command(row, 1);
    await store.transaction((tx) => tx.insertCommands([closing], 1));
    await sayHello(store, row.machineId);
    await store.takeCommands(row.machineId, 2, 10);

    const isHeard = await store.touchMachine(former, 700);
    await store.ackCommands(former, [closing.id]);

    expect(isHeard).toBeNull();
    expect((await store.readMachine(row.machineId))?.lastSeenAt).toBe(1);
    expect(await isSentAgain(store, closing)).toBe(true);
    expect(await store.touchMachine(sessionOf(row.machineId, 2), 700)).not.toBeNull();
    expect((await store.readMachine(row.machineId))?.lastSeenAt).toBe(700);
  });

  test('given a command, when another machine acknowledges it, then it still goes to its own', async () => {
    await using given = await open();
    const { store } = given;
    const [row, other] = [await seeded(store), await joined(store, 'other')];
    const closing = command(row, 1);
    await store.transaction((tx) => tx.insertCommands([closing], 1));
    await store.takeCommands(row.machineId, 1, 10);

    await store.ackCommands(sessionOf(other, 1), [closing.id]);

    expect(await isSentAgain(store, closing)).toBe(true);
  });

  test.each<[string, Partial<FinishedCommand>, 'foreign' | 'unknown']>([
    ['of another machine', { machineId: id() }, 'foreign'],
    ['with another number', { command: { workerId: 'its own', seq: 2 } }, 'foreign'],
    ['as that of another worker', { command: { workerId: id(), seq: 1 } }, 'foreign'],
    ['as a query', { command: null }, 'foreign'],
    ['of a command that was never given', { id: id() }, 'unknown'],
  ])(
    'given a command, when a machine tells the result %s, then the command is not finished',
    async (_what, lie, said) => {
      await using given = await open();
      const { store } = given;
      const row = await seeded(store);
      const closing = command(row, 1);
      await store.transaction((tx) => tx.insertCommands([closing], 1));
      const of = lie.command?.workerId === 'its own' ? { ...lie.command, workerId: row.id } : lie.command;
      const told = { ...finished(closing), ...lie, ...(of !== undefined && { command: of }) };

      const [outcome] = await store.transaction((tx) => tx.finishCommands([told], 2));

      expect(outcome).toBe(said);
      expect(await store.commandResult(closing.id)).toBeNull();
      expect((await store.takeCommands(row.machineId, 1, 10)).map((one) => one.id)).toEqual([closing.id]);
    },
  );

  test('given a query, when it is answered as another command, or twice, then the first answer of its machine stays', async () => {
    await using given = await open();
    const { store } = given;
    const row = await seeded(store);
    const asked = queryOf(row);
    await store.transaction((tx) => tx.insertCommands([asked], 1));
    const told = { ...finished(asked), command: { workerId: row.id, seq: 0 } };

    const [asCommand] = await store.transaction((tx) => tx.finishCommands([told], 2));
    const [first] = await store.transaction((tx) => tx.finishCommands([{ ...told, command: null, result: SAID }], 3));
    const [second] = await store.transaction((tx) => tx.finishCommands([{ ...told, command: null }], 4));

    expect([asCommand, first, second]).toEqual(['foreign', 'finished', 'ended']);
    expect(await store.commandResult(asked.id)).toEqual(SAID);
  });

  test('given workers of two machines, when one is locked for a machine, then only that of the machine is', async () => {
    await using given = await open();
    const { store } = given;
    const [row, other] = [await seeded(store), await joined(store, 'other')];

    const [own, foreign, places] = await store.transaction(async (tx) => [
      await tx.lockWorker(row.id, { machineId: row.machineId }),
      await tx.lockWorker(row.id, { machineId: other }),
      await tx.machinesOfWorkers([row.id, id()]),
    ]);

    expect([own?.id, foreign]).toEqual([row.id, null]);
    expect([...places]).toEqual([[row.id, row.machineId]]);
  });
}

const SAID = { kind: 'pane', text: 'what it shows' } as const;

function sessionOf(machineId: string, epoch: number) {
  return { machineId, epoch, agentEpoch: AGENT_EPOCH };
}

function observation(machineId: string, { seq = 1 }: { seq?: number } = {}): NewObservation {
  const body = { kind: 'panes', panes: [] } as const;
  return { ...sessionOf(machineId, 1), seq, workerId: null, body, seenAt: 1, now: 2 };
}

function finished({ id: commandId, machineId, workerId }: NewCommand): FinishedCommand {
  return { id: commandId, machineId, command: { workerId, seq: 1 }, result: CLOSED };
}

function queryOf(row: WorkerRow): NewCommand {
  return { ...command(row, 1), body: { kind: 'query', query: { kind: 'read-screen' } } };
}

/** Tells whether the command is sent again to a machine that has not acknowledged it. */
async function isSentAgain(store: Store, { id: commandId, machineId }: NewCommand): Promise<boolean> {
  await store.resendCommands(machineId, 'unacknowledged');
  const epoch = (await store.readMachine(machineId))?.epoch ?? 0;
  return (await store.takeCommands(machineId, epoch, 10)).some((one) => one.id === commandId);
}

function refused(count: number, sha256: string): RefusedReports {
  return { reason: 'foreign-worker', count, bytes: 10 * count, sha256 };
}

/** Takes reports as they come, and stores those that are new. */
function report(store: Store, observations: readonly NewObservation[]): Promise<readonly number[] | 'superseded'> {
  const [first] = observations;
  if (first === undefined) throw new Error('No observation is given');
  return store.transaction(async (tx) => {
    const fresh = await tx.receiveReports(
      first,
      observations.map(({ seq }) => seq),
    );
    if (fresh !== 'superseded') await tx.insertObservations(observations.filter(({ seq }) => fresh.includes(seq)));
    return fresh;
  });
}
