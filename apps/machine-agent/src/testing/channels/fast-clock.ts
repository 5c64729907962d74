/** A clock on which waiting passes quickly. Sockets are real, so that the time cannot stand still between them. */
import type { LocalClock } from '@drover/base';

/** Speed of the clocks in tests: pauses are short, and a loaded machine still answers in time. */
export const TIMES = 4;

/** @param times How much faster than a real clock it is. */
export function fastClock(times: number): LocalClock {
  return {
    now: () => Date.now(),
    elapsed: () => performance.now() * times,
    after: (delayMs, run) => {
      const timer = setTimeout(run, delayMs / times);
      return () => clearTimeout(timer);
    },
  };
}
