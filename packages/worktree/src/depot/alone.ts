/** Lets one act at a time happen in a place. All that works there is this process. */
import { GitError } from '../git/git-error.ts';

/** A caller that waits for a place. */
interface Line {
  readonly first: (() => void)[];
  readonly others: (() => void)[];
}

const LINES = new Map<string, Line>();

interface AloneOptions {
  readonly signal: AbortSignal | undefined;
  /** True for a caller that comes before all that are not first. */
  readonly isFirst?: boolean | undefined;
}

/** Runs `act` after those that were there before, in their order. @throws {GitError} `cancelled`, while it waits. */
export async function alone<T>(
  place: string,
  { signal, isFirst = false }: AloneOptions,
  act: () => Promise<T>,
): Promise<T> {
  const line = LINES.get(place);
  if (line === undefined) LINES.set(place, { first: [], others: [] });
  else await turnIn(isFirst ? line.first : line.others, { place, signal });
  try {
    if (signal?.aborted === true) throw cancelled(place);
    return await act();
  } finally {
    leave(place);
  }
}

/** Resolves when it is its turn. One that is cancelled leaves the line at once. */
function turnIn(
  waiting: (() => void)[],
  { place, signal }: { place: string; signal: AbortSignal | undefined },
): Promise<void> {
  if (signal?.aborted === true) return Promise.reject(cancelled(place));
  return new Promise((resolve, reject) => {
    const begin = (): void => {
      signal?.removeEventListener('abort', cancel);
      resolve();
    };
    const cancel = (): void => {
      waiting.splice(waiting.indexOf(begin), 1);
      reject(cancelled(place));
    };
    waiting.push(begin);
    signal?.addEventListener('abort', cancel, { once: true });
  });
}

function cancelled(place: string): GitError {
  return new GitError('cancelled', `Cannot work in "${place}": it was cancelled`);
}

function leave(place: string): void {
  const line = LINES.get(place);
  const next = line?.first.shift() ?? line?.others.shift();
  if (next === undefined) LINES.delete(place);
  else next();
}
