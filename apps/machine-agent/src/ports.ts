/** Ports of every part of a machine agent to the world: the time, and the log. */

export interface Clock {
  /** Epoch milliseconds. A person may set this clock. */
  now(): number;
  /** Milliseconds of a clock that only grows and cannot be set, for durations. The starting point of the clock means nothing. */
  elapsed(): number;
  /** Calls `run` once after `delayMs` milliseconds. @returns a function that cancels it. */
  setTimer(delayMs: number, run: () => void): () => void;
}

/** Takes one line. Must not throw. */
export type Log = (
  level: 'debug' | 'info' | 'warn' | 'error',
  message: string,
  fields?: Readonly<Record<string, unknown>>,
) => void;

/** Places in the life of a command at which a test may end the process, in the order in which they are passed. */
export type CrashPoint = 'received' | 'started' | 'noted' | 'typed' | 'entered' | 'acted' | 'recorded';
