/** The machine's clock, its timers, and random numbers. */
import type { Nature } from './ports.ts';

export const systemClock: Nature['clock'] = {
  now: () => Date.now(),
  after: (ms, run) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

/** Random number in [0, 1). */
export const systemRandom = (): number => Math.random();
