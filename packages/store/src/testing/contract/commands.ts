// The outbox: the tests that every store passes.
import { expect, test } from 'vitest';
import type { OpenStore } from './open-store.ts';
import { AGENT_EPOCH, command, sayHello, seeded } from './seeds.ts';

/** Declares the tests; `open` gives each its own store. */
export function commandContract(open: OpenStore): void {
  test('given commands, when a machine takes them, then in their order, once for each epoch', async () => {
    await using given = await open();
    const { store } = given;
    const row = await seeded(store);
    const commands = [command(row, 1), command(row, 2)];
    await store.transaction((tx) => tx.insertCommands(commands, 1));

    const waiting = await store.machinesWithCommands();
    const first = await store.takeCommands(row.machineId, 1, 10);
    const taken = await store.machinesWithCommands();
    const again = await store.takeCommands(row.machineId, 1, 10);
    const old = await store.takeCommands(row.machineId, 0, 10);

    expect(first.map((one) => one.id)).toEqual(commands.map((one) => one.id));
    expect([again, old]).toEqual([[], []]);
    expect([waiting, taken]).toEqual([[row.machineId], []]);
  });

  test('given a command that was sent and not acknowledged, when the machine says hello, then it is given again', async () => {
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

  test('given commands that wait, were sent, are in the journal and have ended, when those that were sent are listed, then the two that may have begun', async () => {
    await using given = await open();
    const { store } = given;
    const row = await seeded(store);
    const { machineId, id: workerId } = row;
    const [ended, known, sent, waits] = [command(row, 1), command(row, 2), command(row, 3), command(row, 4)];
    await store.transaction((tx) => tx.insertCommands([ended, known, sent], 1));
    await store.takeCommands(machineId, 1, 10);
    await store.ackCommands({ machineId, epoch: 1, agentEpoch: AGENT_EPOCH }, [ended.id, known.id]);
    const told = {
      id: ended.id,
      machineId,
      command: { workerId, seq: 1 },
      result: { kind: 'unknown', why: '' },
    } as const;
    await store.transaction((tx) => tx.finishCommands([told], 2));
    await store.transaction((tx) => tx.insertCommands([waits], 2));

    const listed = await store.listSentCommands(machineId);

    expect(listed).toEqual([
      { id: known.id, workerId, seq: 2 },
      { id: sent.id, workerId, seq: 3 },
    ]);
    // Commands that are to be sent again may have arrived all the same.
    await store.resendCommands(machineId, 'unacknowledged');
    expect(await store.listSentCommands(machineId)).toEqual(listed);
  });

  test('given results of several commands, when they are written down together, then each has the outcome that it has alone', async () => {
    await using given = await open();
    const { store } = given;
    const row = await seeded(store);
    const { machineId, id: workerId } = row;
    const [done, ended, foreign] = [command(row, 1), command(row, 2), command(row, 3)];
    await store.transaction((tx) => tx.insertCommands([done, ended, foreign], 1));
    const end = (id: string, seq: number) => {
      const result = { kind: 'unknown', why: `of ${seq}` } as const;
      return { id, machineId, command: { workerId, seq }, result };
    };
    await store.transaction((tx) => tx.finishCommands([end(ended.id, 2)], 2));

    const told = [end(workerId, 9), end(foreign.id, 4), end(ended.id, 2), end(done.id, 1)];
    const outcomes = await store.transaction((tx) => tx.finishCommands(told, 3));

    expect(outcomes).toEqual(['unknown', 'foreign', 'ended', 'finished']);
    expect(await store.commandResult(done.id)).toEqual({ kind: 'unknown', why: 'of 1' });
    expect(await store.commandResult(foreign.id)).toBeNull();
  });

  test('given an older command, when it is dropped, then no machine gets it', async () => {
    await using given = await open();
    const { store } = given;
    const row = await seeded(store);
    const [old, present] = [command(row, 1), command(row, 2)];
    await store.transaction((tx) => tx.insertCommands([old, present], 1));

    await store.transaction((tx) => tx.dropCommandsBefore(row.id, 2));
    const taken = await store.takeCommands(row.machineId, 1, 10);

    expect(taken.map((one) => one.id)).toEqual([present.id]);
  });

  test('given a removed worker, when its rows are gone, then its commands are not given out any more', async () => {
    await using given = await open();
    const { store } = given;
    const row = await seeded(store);
    await store.transaction((tx) => tx.insertCommands([command(row, 1)], 1));

    await store.transaction((tx) => tx.deleteWorker(row.id));

    expect(await store.readWorker(row.id)).toBeNull();
    expect(await store.takeCommands(row.machineId, 1, 10)).toEqual([]);
  });
}
