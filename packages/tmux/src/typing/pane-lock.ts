/** How is it made sure that one sender at a time has its hands on a pane? */

/** A queue for each key; a key without a queue costs nothing. */
export class KeyedLock {
  readonly #tails = new Map<string, Promise<void>>();

  /** Runs `work` after everything that was asked for with the same key before; errors are the caller's. */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.#tails.get(key) ?? Promise.resolve();
    const result = before.then(work);
    const tail = settled(result);
    this.#tails.set(key, tail);
    try {
      return await result;
    } finally {
      if (this.#tails.get(key) === tail) this.#tails.delete(key);
    }
  }
}

async function settled(work: Promise<unknown>): Promise<void> {
  await Promise.allSettled([work]);
}
