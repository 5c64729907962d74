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
}
