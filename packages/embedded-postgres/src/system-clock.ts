// Reads the system's time for this room, in this file alone; everything else takes a `Clock`.
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from './clock.ts';

/** The clock of this computer. */
export const systemClock: Clock = {
  now: () => performance.now(),
  sleep: async (ms, signal) => {
    await delay(ms, undefined, signal === undefined ? {} : { signal }).catch((error: unknown) => {
      signal?.throwIfAborted();
      throw error;
    });
  },
};
