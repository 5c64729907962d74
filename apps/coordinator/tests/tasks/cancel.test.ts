/** Tasks that a person cancels, and that another person cancels too. On scripted machines. */
import type { Actor, CancelView, Outcome } from '@drover/api';
import { expect, test } from 'vitest';
import { takeItem } from '../../src/use-cases/queue/take.ts';
import { createTaskFleet } from '../../src/use-cases/tasks/fleet.ts';
import { beside } from '../support/beside.ts';
import { emptied, MIA, WAITERS } from '../support/placing.ts';

const BEN: Actor = { ...MIA, id: 'ben', name: 'ben', role: 'operator' };

async function withTask() {
  const given = await emptied();
  await given.idle('adam');
  const tasks = createTaskFleet(given.ctx, WAITERS);
  const start = (): ReturnType<typeof tasks.start> =>
    tasks.start({ requestId: given.id(), name: 'adam', prompt: 'mend the pump\nsoon' }, MIA);
  await start();
  const cancel = (name: string, by = MIA): Promise<Outcome<CancelView>> =>
    tasks.cancel({ requestId: given.id(), name }, by);
  const statuses = async (): Promise<readonly string[]> =>
    (await tasks.listTasks({ worker: 'adam', status: undefined, after: undefined, limit: 9 }, MIA)).map(
      ({ status }) => status,
    );
  return { ...given, tasks, start, cancel, statuses };
}

const ok = (value: object): unknown => expect.objectContaining({ kind: 'ok', value: expect.objectContaining(value) });
const refused = (code: string): unknown => expect.objectContaining({ kind: 'refused', code });

test('given a worker at its task, when a person cancels it, then the task is over, and what was kept is told', async () => {
  const { cancel, statuses, rowOf } = await withTask();

  const done = await cancel('adam', BEN);

  expect(done).toEqual(ok({ title: 'mend the pump', again: false, by: 'ben' }));
  expect(done).toMatchObject({ value: { worker: { name: 'adam', status: 'idle', branch: 'drover/adam' } } });
  expect(await statuses()).toEqual(['cancelled']);
  expect(rowOf('adam').state.checkpoint.due ?? rowOf('adam').state.command.inFlight?.command).toMatchObject({
    id: done.kind === 'ok' ? done.value.checkpoint : '',
  });
});

test('given a task that was cancelled, when it is cancelled again, by the same person or another one, then the answer is the same', async () => {
  const { cancel, tasks, id } = await withTask();
  const requestId = id();
  const first = await tasks.cancel({ requestId, name: 'adam' }, BEN);

  expect(await tasks.cancel({ requestId, name: 'adam' }, BEN)).toEqual(first);
  expect(await cancel('adam', BEN)).toEqual(ok({ again: true, by: 'ben', title: 'mend the pump' }));
  expect(await cancel('adam', MIA)).toEqual(ok({ again: true, by: 'ben', title: 'mend the pump' }));
});

test('given two people who cancel at the same moment, when the second is decided, then the first one is told to both', async () => {
  const { ctx, cancel, id, statuses } = await withTask();
  const late = createTaskFleet(
    beside(ctx, () => cancel('adam', BEN)),
    WAITERS,
  );

  expect(await late.cancel({ requestId: id(), name: 'adam' }, MIA)).toEqual(ok({ again: true, by: 'ben' }));
  expect(await statuses()).toEqual(['cancelled']);
});

test('given a worker that has another task since, when a second person cancels the one before, then that other one goes on unless it is named', async () => {
  const { cancel, start, rowOf } = await withTask();
  await cancel('adam', BEN);
  await start();
  const { task } = rowOf('adam').state;

  const late = await cancel('adam', MIA);

  expect(late).toEqual(refused('another-task'));
  expect(late).toMatchObject({ message: expect.stringContaining(`drover cancel ${'id' in task ? task.id : ''}`) });
  expect(rowOf('adam').state.task).toEqual(task);
  expect(await cancel('id' in task ? task.id : '', MIA)).toEqual(ok({ again: false, by: 'mia' }));
});

test('given a worker whose last task ended otherwise, when a person cancels, then there is nothing to cancel', async () => {
  const { cancel, start, ctx, rowOf } = await withTask();
  await cancel('adam', BEN);
  await start();
  const { task, ...state } = rowOf('adam').state;
  await ctx.store.transaction(async (tx) => {
    await tx.setTaskStatus('id' in task ? task.id : '', 'accepted', ctx.clock.now());
    const row = rowOf('adam');
    const idle = {
      ...state,
      task: { kind: 'none' as const },
      lifecycle: { ...state.lifecycle, status: 'idle' as const },
    };
    await tx.saveWorker({ ...row, state: idle }, ctx.clock.now());
  });

  expect(await cancel('adam')).toEqual(refused('no-task'));
  expect(await cancel('nobody')).toEqual(refused('not-found'));
});

test('given work in the queue, when it is cancelled by its id, then it is out of the queue, also if a worker had taken it', async () => {
  const { ctx, queue, cancel, id, statuses } = await withTask();
  const add = async (prompt: string): Promise<string> => {
    const added = await queue.addToQueue({ requestId: id(), priority: 'S2', prompt }, MIA);
    return added.kind === 'ok' ? added.value.id : added.message;
  };
  const waiting = await add('later');
  await cancel('adam', MIA);

  expect(await cancel(waiting)).toEqual(ok({ task: waiting, title: 'later', worker: null, again: false }));
  expect(await cancel(waiting)).toEqual(ok({ again: true, worker: null }));
  const taken = await add('now');
  await ctx.store.transaction((tx) => takeItem(ctx, tx));
  expect(await statuses()).toEqual(['started', 'cancelled']);

  expect(await cancel(taken)).toEqual(ok({ title: 'now', again: false }));
  expect(await queue.queueItem({ id: taken }, MIA)).toMatchObject({ value: { status: 'dropped' } });
  expect(await ctx.store.transaction((tx) => takeItem(ctx, tx))).toBeNull();
});
