/** Two people at the same moment: the deed of one falls between the read and the write of the other. */
import type { Context } from '../../src/context/context.ts';

/** Wraps the fleet of one person, before each of whose transactions another person acts. */
export function justBefore(ctx: Context, deed: () => Promise<unknown>): Context {
  const store: Context['store'] = {
    ...ctx.store,
    transaction: async (work) => {
      await deed();
      return ctx.store.transaction(work);
    },
  };
  return { ...ctx, store };
}

/** Wraps the fleet in the same way, before the first transaction alone. */
export function beside(ctx: Context, deed: () => Promise<unknown>): Context {
  let isDone = false;
  return justBefore(ctx, async () => {
    if (isDone) return;
    isDone = true;
    await deed();
  });
}
