// Tests what every store must keep of tasks.
import { expect, test } from 'vitest';
import type { TaskRow } from '../../../port/tasks.ts';
import type { OpenStore } from '../open-store.ts';
import { id, seeded } from '../seeds.ts';

/** Declares the tests; `open` gives each its own store. */
export function taskContract(open: OpenStore): void {
  test('given tasks, when they are listed page by page, then each is there once, newest first, and a filter leaves the others out', async () => {
    await using given = await open();
    const { store } = given;
    const worker = await seeded(store);
    const actor = { kind: 'person', id: id(), name: 'ada' } as const;
    const tasks = [1, 2, 2, 3].map((createdAt, place): TaskRow => ({
      id: id(),
      projectId: worker.projectId,
      workerId: worker.id,
      workerName: place === 0 ? 'gone' : worker.name,
      prompt: `p${place}`,
      status: place === 3 ? 'new' : 'accepted',
      actor,
      createdAt,
    }));
    await store.transaction(async (tx) => {
      for (const task of tasks) await tx.insertTask(task);
    });
    const newestFirst = tasks.toSorted((one, other) =>
      one.createdAt === other.createdAt ? (one.id < other.id ? 1 : -1) : other.createdAt - one.createdAt,
    );

    const first = await store.listTasks({ limit: 2 });
    const after = first[1];
    const second = await store.listTasks({ limit: 5, ...(after !== undefined && { after }) });

    expect([...first, ...second]).toEqual(newestFirst);
    expect(await store.listTasks({ limit: 5, workerName: 'gone' })).toEqual([tasks[0]]);
    expect(await store.listTasks({ limit: 5, status: 'new' })).toEqual([tasks[3]]);
    expect(await store.listTasks({ limit: 5, projectId: id() })).toEqual([]);
    expect(await store.listTasks({ limit: 5, projectId: worker.projectId })).toHaveLength(4);
  });

  test('given use on two days, when it is saved again and listed, then the last word counts, and a filter leaves the others out', async () => {
    await using given = await open();
    const { store } = given;
    const { id: workerId, projectId, name: workerName } = await seeded(store);
    const [day, taskId] = [86_400_000, id()];
    const row = {
      workerId,
      taskId,
      since: 7,
      day,
      projectId,
      workerName,
      input: 5,
      cached: 1,
      output: 2,
      money: 0.25,
      workedMs: 9,
    };
    const silent = { ...row, day: 2 * day, input: null, cached: null, output: null, money: null };

    await store.transaction(async (tx) => {
      for (const one of [row, silent, { ...row, input: 6 }, { ...row, taskId: id() }]) await tx.saveUsage(one);
    });

    expect(await store.listUsage({ taskId, limit: 5 })).toEqual([silent, { ...row, input: 6 }]);
    expect(await store.listUsage({ since: 2 * day, limit: 5 })).toEqual([silent]);
    expect(await store.listUsage({ workerName: 'other', limit: 5 })).toEqual([]);
    expect(await store.listUsage({ projectId, limit: 2 })).toHaveLength(2);
    await store.transaction((tx) => tx.prune(2 * day, 10));
    expect(await store.listUsage({ limit: 5 })).toEqual([silent]);
  });
}
