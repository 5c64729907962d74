/** Time as a port: everything outside of adapters takes its clock as an argument. */

/** Epoch milliseconds, and timers that can be cleared. */
export interface Clock {
  /** Epoch milliseconds; somebody may set this clock, to a wrong time too. */
  now(): number;
  /** Calls `run` once after `ms` milliseconds. @returns a function that cancels it. */
  after(ms: number, run: () => void): () => void;
}

/** Clock of one computer. */
export interface LocalClock extends Clock {
  /** Milliseconds that only grow and cannot be set, for durations; the starting point means nothing. */
  elapsed(): number;
}

/** Resolves after `ms`, or at once when the signal has fired or fires. Never rejects. */
export function pause(clock: Pick<Clock, 'after'>, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) return resolve();
    const done = (): void => {
      cancel();
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const cancel = clock.after(ms, done);
    signal?.addEventListener('abort', done);
  });
}

/**
 * Asks every `everyMs` until there is an answer or `withinMs` are over; asks at least once.
 *
 * @returns undefined when the time was over or the signal fired.
 */
export async function waitFor<T>(
  clock: Pick<LocalClock, 'after' | 'elapsed'>,
  ask: () => Promise<T | undefined>,
  { withinMs, everyMs, signal }: { withinMs: number; everyMs: number; signal?: AbortSignal | undefined },
): Promise<T | undefined> {
  const end = clock.elapsed() + withinMs;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined || clock.elapsed() >= end || signal?.aborted === true) return answer;
    await pause(clock, everyMs, signal);
  }
}
