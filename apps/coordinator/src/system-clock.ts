/** The one place where this app asks for the time, for randomness and for secrets. */
import { randomBytes } from 'node:crypto';
import { v7 } from 'uuid';
import type { Clock, Ids } from './ports.ts';

/** The machine's clock and its timers. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after: (ms, run) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

/** UUIDv7 ids, and secrets from the operating system's generator. */
export const systemIds: Ids = {
  uuid: () => v7(),
  secret: () => randomBytes(32).toString('base64url'),
};

/** In [0, 1). */
export const systemRandom = (): number => Math.random();
