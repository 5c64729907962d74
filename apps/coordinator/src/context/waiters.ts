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

/** Limits of a wait for a hint. */
interface Waiting {
  readonly ms: number;
  readonly after: (ms: number, run: () => void) => () => void;
  /** Ends the wait when it fires. */
  readonly signal?: AbortSignal | undefined;
}

/** A hint that is listened for. Disposing it ends the wait. */
export interface Hint extends Disposable {
  /** Resolves at the hint, or when the wait ends for another reason. */
  readonly heard: Promise<void>;
}

/**
 * Listens for the next hint for `key` from now on, at most `ms`. A caller listens first and then checks for work: a hint that arrives
 * during the check counts then, and would be lost otherwise.
 */
export function listenFor(waiters: Waiters, key: string, { ms, after, signal }: Waiting): Hint {
  const { promise: heard, resolve } = Promise.withResolvers<void>();
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
  return { heard, [Symbol.dispose]: done };
}
