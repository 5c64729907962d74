/** Limits how many holders may act at once, and queues the others. */

/** Lets a number of holders in; the others wait in the order in which they came. */
export class Turns {
  readonly #waiting: (() => void)[] = [];
  #free: number;

  constructor(atOnce: number) {
    this.#free = atOnce;
  }

  /** Tells whether a holder may enter now. */
  get isFree(): boolean {
    return this.#free > 0;
  }

  /** Runs `act` when it is its turn. */
  async run<T>(act: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await act();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free += 1;
      else next();
    }
  }
}
