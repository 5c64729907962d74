/** A clock on which waiting passes quickly. Sockets are real, so that the time cannot stand still between them. */
import type { Clock } from '../../ports.ts';

/** Speed of the clocks in tests: pauses of seconds take some hundredths. */
export const TIMES = 20;

/** @param times How much faster than a real clock it is. */
export function fastClock(times: number): Clock {
  return {
    now: () => Date.now(),
    elapsed: () => performance.now() * times,
    setTimer: (delayMs, run) => {
      const timer = setTimeout(run, delayMs / times);
      return () => clearTimeout(timer);
    },
  };
}
