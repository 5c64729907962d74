/** Reads the time of this computer and sets timers, in this file alone. */
import type { LocalClock } from './clock.ts';

/** The real clock of this computer. */
export const systemClock: LocalClock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};
