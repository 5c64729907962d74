// Defines the clock that this room needs. See system-clock.ts for the real one.

/** Time as the store needs it: to wait, and to know how long it has waited. */
export type Clock = {
  /** Milliseconds that only ever grow; the starting point means nothing. */
  now(): number;
  /** Resolves after `ms` milliseconds. Rejects with the signal's reason as soon as the signal aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
};

/**
 * Repeats the question until there is an answer or the time is over.
 *
 * @returns `undefined` when `withinMs` passed without an answer.
 * @throws the signal's reason when it aborts.
 */
export async function waitFor<T>(
  clock: Clock,
  ask: () => Promise<T | undefined>,
  { withinMs, everyMs, signal }: { withinMs: number; everyMs: number; signal?: AbortSignal | undefined },
): Promise<T | undefined> {
  const end = clock.now() + withinMs;
  for (;;) {
    signal?.throwIfAborted();
    const answer = await ask();
    if (answer !== undefined || clock.now() >= end) return answer;
    await clock.sleep(everyMs, signal);
  }
}
