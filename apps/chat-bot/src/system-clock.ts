/** The machine's clock, its timers, and chance. */
import type { Nature } from './ports.ts';

/** The adapter of time. */
export const systemClock: Nature['clock'] = {
  now: () => Date.now(),
  after: (ms, run) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

/** In [0, 1). */
export const systemRandom = (): number => Math.random();
