/** Lets one sender at a time work on a pane. */

/** Queue for each key; a key without a queue costs nothing. */
export class KeyedLock {
  readonly #tails = new Map<string, Promise<void>>();

  /** Runs `work` after all earlier work with the same key; errors are the caller's. */
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
