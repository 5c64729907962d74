/** Two people at the same moment: what one does falls between what the other has read and what the other writes. */
import type { Context } from '../../src/context/context.ts';

/** The fleet as one person has it, before each of whose transactions another person does this. */
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

/** The same before the first transaction alone. */
export function beside(ctx: Context, deed: () => Promise<unknown>): Context {
  let isDone = false;
  return justBefore(ctx, async () => {
    if (isDone) return;
    isDone = true;
    await deed();
  });
}
