/** What a service delivers late, and in another order than people did it. */

/** What waits to be delivered. */
export class LateMail {
  #waiting: (() => void)[] | null = null;

  /** Delivers it now, or with the others. */
  deliver(run: () => void): void {
    if (this.#waiting === null) run();
    else this.#waiting.push(run);
  }

  /** Nothing is delivered until `letGo`. */
  holdBack(): void {
    this.#waiting ??= [];
  }

  /** Everything is delivered, the last one first. */
  letGo(): void {
    const waiting = this.#waiting ?? [];
    this.#waiting = null;
    for (const run of waiting.toReversed()) run();
  }
}
