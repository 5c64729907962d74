// Retries a unit of work after a transient failure.
import { isRetryable } from './errors.ts';

/** The longest wait before the first repeat, in milliseconds; doubled for each further one. */
export const FIRST_BACKOFF_MS = 25;

/** The longest wait before any repeat, in milliseconds. A restarted server answered after 14 to 115 ms. */
export const BACKOFF_MAX_MS = 2_000;

/** Number of tries, and the sources of time and chance. */
export type RetryOptions = {
  /** Number of tries in all; at least 1. */
  readonly attempts: number;
  readonly sleep: (ms: number) => Promise<void>;
  /** A number from 0 up to, but not including, 1. */
  readonly random: () => number;
};

/**
 * Runs a unit of work and repeats it after a conflict or a lost connection.
 * The unit must be idempotent as a whole: a connection lost during a commit leaves unknown whether it was done.
 *
 * @throws the last error, when it is permanent or the attempts are used up.
 */
export async function withRetry<T>(unit: () => Promise<T>, { attempts, sleep, random }: RetryOptions): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await unit();
    } catch (error) {
      if (attempt >= attempts || !isRetryable(error)) throw error;
    }
    await sleep(backoffMs(attempt, random));
  }
}

/** Full jitter: anything from nothing to a limit that doubles with each attempt (1, 2, …). Milliseconds. */
export function backoffMs(attempt: number, random: () => number): number {
  return Math.floor(random() * Math.min(BACKOFF_MAX_MS, FIRST_BACKOFF_MS * 2 ** (attempt - 1)));
}
