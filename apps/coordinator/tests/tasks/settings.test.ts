/** Settings of a task that change at the moment at which it is given. On scripted machines. */
import { expect, test } from 'vitest';
import { createTaskFleet } from '../../src/use-cases/tasks/fleet.ts';
import { justBefore } from '../support/beside.ts';
import { emptied, MIA, WAITERS } from '../support/placing.ts';

test('given a role prompt that changes while a task is given, when the task comes, then it comes with the new one', async () => {
  const given = await emptied();
  const { id } = await given.idle('adam');
  const ctx = justBefore(given.ctx, () =>
    given.ctx.store.transaction(async (tx) => {
      const row = await tx.lockWorker(id);
      if (row !== null) await tx.saveWorker({ ...row, options: { ...row.options, rolePrompt: 'be careful' } }, 0);
    }),
  );

  const started = await createTaskFleet(ctx, WAITERS).start(
    { requestId: given.id(), name: 'adam', prompt: 'do it' },
    MIA,
  );

  expect(started.kind).toBe('ok');
  const its = [...given.two.database.events.values()].filter(({ workerId }) => workerId === id);
  const task = its.find(({ event }) => event.kind === 'start-requested');
  expect(task?.event).toMatchObject({ text: expect.stringContaining('be careful') });
});
