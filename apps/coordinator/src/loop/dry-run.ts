/** Answers a request without any effect. */
import type { StoreTransaction } from '@drover/store';
import type { Context } from '../context/context.ts';

/** Carries the outcome of a dry run out of its transaction, which rolls back. */
class DryRun<T> extends Error {
  readonly outcome: T;

  constructor(outcome: T) {
    super('A dry run is undone');
    this.outcome = outcome;
  }
}

/** Runs the work in a transaction that rolls back. */
export async function tryDry<T>({ store }: Context, work: (tx: StoreTransaction) => Promise<T>): Promise<T> {
  let dry: DryRun<T> | undefined;
  try {
    return await store.transaction(async (tx) => {
      dry = new DryRun(await work(tx));
      throw dry;
    });
  } catch (error) {
    if (dry !== undefined && error === dry) return dry.outcome;
    throw error;
  }
}
