/** How does one wait with a deadline, on a clock that is given? */
import type { Clock } from './options.ts';

/** Resolves after `delayMs`, or at once when the signal has fired or fires. Never rejects. */
export function pause(clock: Clock, delayMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) return resolve();
    const done = (): void => {
      cancel();
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const cancel = clock.setTimer(delayMs, done);
    signal?.addEventListener('abort', done);
  });
}

/**
 * Repeats work that must not be lost, such as a record on a full disk, until it succeeds or the signal fires.
 *
 * @returns undefined when it never succeeded.
 */
export async function insist<T>(
  clock: Clock,
  work: () => T,
  { everyMs, signal, onTrouble }: { everyMs: number; signal: AbortSignal; onTrouble: (error: unknown) => void },
): Promise<T | undefined> {
  for (let failures = 0; !signal.aborted; failures += 1) {
    try {
      return work();
    } catch (error) {
      if (failures === 0) onTrouble(error);
      await pause(clock, everyMs, signal);
    }
  }
  return undefined;
}

/**
 * Asks every `everyMs` until there is an answer or `withinMs` are over; it asks at least once.
 *
 * @returns undefined when the time was over or the signal fired.
 */
export async function waitFor<T>(
  clock: Clock,
  ask: () => Promise<T | undefined>,
  { withinMs, everyMs, signal }: { withinMs: number; everyMs: number; signal?: AbortSignal },
): Promise<T | undefined> {
  const end = clock.now() + withinMs;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined || clock.now() >= end || signal?.aborted === true) return answer;
    await pause(clock, everyMs, signal);
  }
}
