/** Tells the time and waits, in the real world. */

/** Time as a port: everything outside adapters takes it as an argument. */
export interface Clock {
  /** Epoch milliseconds; somebody may set it. */
  now(): number;
  /** Milliseconds of a clock that only grows and that cannot be set. The clock's starting point means nothing. */
  elapsed(): number;
  /** Calls `run` once after `delayMs` milliseconds. @returns a function that cancels it. */
  setTimer(delayMs: number, run: () => void): () => void;
}

/** The real clock of this machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  setTimer(delayMs, run) {
    const timer = setTimeout(run, delayMs);
    return () => clearTimeout(timer);
  },
};
