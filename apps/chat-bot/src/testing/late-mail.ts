/** Late delivery: events of a service in another order than people caused them. */

/** Holds events for later delivery. */
export class LateMail {
  #waiting: (() => void)[] | null = null;

  /** Delivers the event now, or with the held ones. */
  deliver(run: () => void): void {
    if (this.#waiting === null) run();
    else this.#waiting.push(run);
  }

  /** Holds events until `letGo`. */
  holdBack(): void {
    this.#waiting ??= [];
  }

  /** Delivers all events, the last one first. */
  letGo(): void {
    const waiting = this.#waiting ?? [];
    this.#waiting = null;
    for (const run of waiting.toReversed()) run();
  }
}
