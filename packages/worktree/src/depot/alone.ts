/** Lets one act at a time happen in a place. All that works there is this process. */
import { GitError } from '../git/git-error.ts';

/** A caller that waits for a place. */
interface Line {
  /** Asks who works there to make way; undefined: it is first. */
  makeWay: AbortController | undefined;
  readonly first: (() => void)[];
  readonly others: (() => void)[];
}

const LINES = new Map<string, Line>();

interface AloneOptions {
  readonly signal: AbortSignal | undefined;
  /** True for a caller that comes before all that are not first. */
  readonly isFirst?: boolean | undefined;
}

/**
 * Runs `act` after those that were there before, in their order. Its signal tells one that is not first that a first one waits: what it does
 * may then be left, to be done again.
 *
 * @throws {GitError} `cancelled`, while it waits.
 */
export async function alone<T>(
  place: string,
  { signal, isFirst = false }: AloneOptions,
  act: (wanted: AbortSignal) => Promise<T>,
): Promise<T> {
  const line = LINES.get(place) ?? { makeWay: undefined, first: [], others: [] };
  if (!LINES.has(place)) LINES.set(place, line);
  else {
    if (isFirst) line.makeWay?.abort();
    await turnIn(isFirst ? line.first : line.others, { place, signal });
  }
  const wanted = new AbortController();
  line.makeWay = isFirst ? undefined : wanted;
  // Cancels an act that may have come just before this one.
  if (line.first.length > 0) line.makeWay?.abort();
  try {
    if (signal?.aborted === true) throw cancelled(place);
    return await act(wanted.signal);
  } finally {
    leave(place);
  }
}

/** Resolves when the caller's turn has come. A cancelled caller leaves the line at once. */
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
