/** Lets one act at a time happen in a place. All that works there is this process. */
import { GitError } from '../git/git-error.ts';

const LINES = new Map<string, Promise<unknown>>();

/** Runs `act` after those that were there before, in their order. @throws {GitError} `cancelled`, while it waits. */
export async function alone<T>(place: string, signal: AbortSignal | undefined, act: () => Promise<T>): Promise<T> {
  const before = LINES.get(place) ?? Promise.resolve();
  const mine = before.then(() => {
    if (signal?.aborted === true) throw new GitError('cancelled', `Cannot work in "${place}": it was cancelled`);
    return act();
  });
  const over = mine.catch(() => undefined);
  LINES.set(place, over);
  try {
    return await mine;
  } finally {
    if (LINES.get(place) === over) LINES.delete(place);
  }
}
