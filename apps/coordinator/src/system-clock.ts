/** The one place where this app asks for the time, for randomness and for secrets. */
import { randomBytes, randomFillSync } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { v7 } from 'uuid';
import type { Ids, LocalClock } from './ports.ts';

/** The machine's clock and its timers. */
export const systemClock: LocalClock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  after: (ms, run) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

/** UUIDv7 ids, and secrets from the operating system's generator. */
export const systemIds: Ids = {
  uuid: (at = Date.now()) => {
    // Within one millisecond, and after a clock was set back, the count goes on from the one before.
    last = at > last.msecs ? { msecs: at, seq: random32() >>> 1 } : { ...last, seq: last.seq + 1 };
    return v7(last);
  },
  secret: () => randomBytes(32).toString('base64url'),
};

/** What the id before was made of; `seq` has 32 bits and starts in their lower half. */
let last = { msecs: 0, seq: 0 };

/** Numbers of 32 bits from the operating system's generator, which are asked for together: a decision needs several, and each call costs. */
const supply = new Uint32Array(256);
let used = supply.length;

function random32(): number {
  if (used === supply.length) {
    randomFillSync(supply);
    used = 0;
  }
  const next = supply[used] ?? 0;
  used += 1;
  return next;
}

/** In [0, 1). */
export const systemRandom = (): number => Math.random();
