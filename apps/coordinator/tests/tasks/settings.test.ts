/** With which settings does a task come, if they change at the moment at which it is given? On scripted machines. */
import { expect, test } from 'vitest';
import type { Context } from '../../src/use-cases/context.ts';
import { createTaskFleet } from '../../src/use-cases/tasks/fleet.ts';
import { emptied, MIA, WAITERS } from '../support/placing.ts';

test('given a role prompt that changes while a task is given, when the task comes, then it comes with the new one', async () => {
  const given = await emptied();
  const { id } = await given.idle('adam');
  const ctx = justBefore(given.ctx, async (tx) => {
    const row = await tx.lockWorker(id);
    if (row !== null) await tx.saveWorker({ ...row, options: { ...row.options, rolePrompt: 'be careful' } }, 0);
  });

  const started = await createTaskFleet(ctx, WAITERS).start(
    { orderId: given.id(), name: 'adam', prompt: 'do it' },
    MIA,
  );

  expect(started.kind).toBe('ok');
  const its = [...given.two.database.events.values()].filter(({ workerId }) => workerId === id);
  const task = its.find(({ event }) => event.kind === 'start-ordered');
  expect(task?.event).toMatchObject({ text: expect.stringContaining('be careful') });
});

/** As the fleet is where somebody changes something just before each transaction. */
function justBefore(ctx: Context, change: Parameters<typeof ctx.store.transaction<void>>[0]): Context {
  const store: Context['store'] = {
    ...ctx.store,
    transaction: async (work) => {
      await ctx.store.transaction(change);
      return ctx.store.transaction(work);
    },
  };
  return { ...ctx, store };
}
