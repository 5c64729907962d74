// Tells the time and sets timers. No other file touches timers.

/** Time as the program sees it. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Calls once after `ms`; the returned function calls it off. */
  after(ms: number, call: () => void): () => void;
  /** Resolves after `ms`, at once when the signal is aborted. Look at the signal afterwards. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

/** The clock of this machine. */
export const SYSTEM_CLOCK: Clock = {
  now: () => Date.now(),
  after(ms, call) {
    const timer = setTimeout(call, ms);
    return () => clearTimeout(timer);
  },
  async sleep(ms, signal) {
    if (signal.aborted) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(done, ms);
      signal.addEventListener('abort', done, { once: true });
      function done(): void {
        clearTimeout(timer);
        signal.removeEventListener('abort', done);
        resolve();
      }
    });
  },
};

/** A time in milliseconds since the epoch, as ISO 8601 in UTC. */
export function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}

/** A time of day such as `8:17 PM`, in the local zone. */
export function timeOfDay(ms: number): string {
  return new Date(ms).toLocaleTimeString('en-US', { hour: 'numeric', minute: '2-digit' });
}
