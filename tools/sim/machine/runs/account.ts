/** Simulates the account that pays for the programs of one machine: it runs dry at every n-th item of a run that begins there. */
import type { RunItem } from '@drover/core';

/** Milliseconds for which it pays nothing. */
const DRY_MS = 45_000;

export class SimAccount {
  /** Time before which it pays for nothing. */
  dryUntil = 0;
  readonly #now: () => number;
  readonly #dryEvery: number;
  readonly #items = new Set<string>();

  /** @param dryEvery Infinity: it never runs dry. */
  constructor(now: () => number, dryEvery: number) {
    this.#now = now;
    this.#dryEvery = dryEvery;
  }

  get isDry(): boolean {
    return this.#now() < this.dryUntil;
  }

  /** An agent begins a turn for an item. */
  took({ runId, item }: RunItem): void {
    const key = `${runId} ${item}`;
    if (this.#items.has(key)) return;
    this.#items.add(key);
    if (this.#items.size % this.#dryEvery === 0) this.dryUntil = this.#now() + DRY_MS;
  }
}
