/** A clock on which time passes as it is waited for: each wait is over at once. */
import type { LocalClock } from '@drover/base';

export function jumpingClock(): LocalClock {
  let now = 0;
  return {
    now: () => now,
    elapsed: () => now,
    after: (delayMs, run) => {
      now += delayMs;
      queueMicrotask(run);
      return () => {};
    },
  };
}
