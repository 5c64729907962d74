// Tests what every store must keep of tasks.
import { expect, test } from 'vitest';
import type { UsageRow } from '../../../port/runs/usage.ts';
import type { TaskRow } from '../../../port/tasks.ts';
import type { WorkerRow } from '../../../port/workers.ts';
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
    const row = usageOf({ id: workerId, projectId, name: workerName }, { taskId, since: 7, day });
    const silent = { ...row, day: 2 * day, input: null, cached: null, output: null, money: null };

    await store.transaction(async (tx) => {
      for (const one of [row, silent, { ...row, input: 6 }, { ...row, taskId: id() }]) await tx.saveUsage(one);
    });

    expect(await store.listUsage({ taskId, limit: 5 })).toEqual([silent, { ...row, input: 6 }]);
    expect(await store.listUsage({ sinceDay: 2 * day, limit: 5 })).toEqual([silent]);
    expect(await store.listUsage({ workerName: 'other', limit: 5 })).toEqual([]);
    expect(await store.listUsage({ projectId, limit: 2 })).toHaveLength(2);
  });

  test('given counts from before the kept history, when it is pruned, then the last count of a worker stays whole, as its next report is a sum over it', async () => {
    await using given = await open();
    const { store } = given;
    const worker = await seeded(store);
    const day = 86_400_000;
    const former = usageOf(worker, { since: 7, day });
    const last = usageOf(worker, { taskId: former.taskId, since: 8, day });
    const ofRemoved = usageOf({ ...worker, id: id() }, { since: 9, day });
    await store.transaction(async (tx) => {
      for (const one of [former, last, { ...last, day: 2 * day }, ofRemoved]) await tx.saveUsage(one);
    });

    await store.transaction((tx) => tx.prune(3 * day, 10));

    expect(await store.listUsage({ limit: 5 })).toEqual([{ ...last, day: 2 * day }, last]);
  });

  test('given use by several workers, when it is added up, then the named tasks and today are apart, unknown stays unknown, and no sum is too large', async () => {
    await using given = await open();
    const { store } = given;
    const worker = await seeded(store);
    const day = 86_400_000;
    const [own, other] = [usageOf(worker, { day: 3 * day }), usageOf(worker, { day: 3 * day, money: null })];
    const large = { ...other, input: 2 ** 53 - 1 };
    const rows = [own, { ...own, day: 2 * day }, large, { ...large, taskId: id() }, { ...own, day }];
    await store.transaction(async (tx) => {
      for (const one of rows) await tx.saveUsage(one);
    });

    const span = { projectId: worker.projectId, sinceDay: 2 * day, today: 3 * day, taskIds: [own.taskId] };
    const sums = await store.sumUsage(span);

    const sum = { workerId: worker.id, taskId: own.taskId, input: 5, cached: 1, output: 2, money: 0.25, workedMs: 9 };
    expect(sums).toHaveLength(3);
    expect(sums).toContainEqual({ ...sum, isToday: true });
    expect(sums).toContainEqual({ ...sum, isToday: false });
    const others = {
      taskId: null,
      isToday: true,
      input: 2 * (2 ** 53 - 1),
      cached: 2,
      output: 4,
      money: null,
      workedMs: 18,
    };
    expect(sums).toContainEqual({ ...sum, ...others });
    expect(await store.sumUsage({ ...span, projectId: id() })).toEqual([]);
  });
}

function usageOf(
  { id: workerId, projectId, name: workerName }: Pick<WorkerRow, 'id' | 'projectId' | 'name'>,
  more: Partial<UsageRow>,
): UsageRow {
  const of = { workerId, taskId: id(), since: 7, day: 0, projectId, workerName };
  return { ...of, input: 5, cached: 1, output: 2, money: 0.25, workedMs: 9, ...more };
}
