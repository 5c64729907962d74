/** Waits for news inside this process. Hints end a wait early; nothing depends on a hint. */

/** Callbacks by key. A key of `*` wakes all. */
export class Waiters {
  readonly #waiting = new Map<string, Set<() => void>>();

  /** Calls `wake` at each hint for `key` until the returned function is called. */
  on(key: string, wake: () => void): () => void {
    const waiting = this.#waiting.get(key) ?? new Set();
    this.#waiting.set(key, waiting.add(wake));
    return () => {
      waiting.delete(wake);
      if (waiting.size === 0 && this.#waiting.get(key) === waiting) this.#waiting.delete(key);
    };
  }

  get isEmpty(): boolean {
    return this.#waiting.size === 0;
  }

  /** Wakes the waits for the key, and those for any key. */
  wake(key: string): void {
    const sets = key === '*' ? [...this.#waiting.values()] : [this.#waiting.get(key), this.#waiting.get('*')];
    for (const waiting of sets) for (const wake of new Set(waiting)) wake();
  }
}

/** Resolves at the next hint for `key`, after `ms`, or when the signal aborts. */
export function nextHint(
  waiters: Waiters,
  key: string,
  {
    ms,
    after,
    signal,
  }: { ms: number; after: (ms: number, run: () => void) => () => void; signal: AbortSignal | undefined },
): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      cancel();
      off();
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const off = waiters.on(key, done);
    const cancel = after(ms, done);
    if (signal?.aborted === true) done();
    else signal?.addEventListener('abort', done);
  });
}

/** A signal that fires with another one, or at the end of its block. */
export function endedWith(signal: AbortSignal | undefined): Disposable & { readonly signal: AbortSignal } {
  const end = new AbortController();
  return {
    signal: signal === undefined ? end.signal : AbortSignal.any([signal, end.signal]),
    [Symbol.dispose]: () => end.abort(),
  };
}
