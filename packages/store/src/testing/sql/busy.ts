// Counts what is under way in the real world while no virtual time passes.
import { setImmediate as turn } from 'node:timers/promises';
import { systemClock, waitFor } from '@drover/base';

/** Milliseconds without an end of any work after which the database is asked whether all wait for locks. */
const ASKED_AFTER_MS = 12;

/** Counts the real work of a simulation: time may pass when there is none, or when all of it waits for a lock. */
export class Busy {
  #begun = 0;
  #ended = 0;
  /** Counts of begun and ended work when everything under way was found to wait for locks. */
  #stuckAt = '';

  /** Counts this work until it settles. */
  async track<T>(work: Promise<T>): Promise<T> {
    this.#begun += 1;
    try {
      return await work;
    } finally {
      this.#ended += 1;
    }
  }

  /** Resolves when nothing goes on by itself any more. `blocked` says how many statements wait for locks. */
  async rest(blocked: () => Promise<number>): Promise<void> {
    for (;;) {
      await turn();
      await turn();
      if (this.#begun === this.#ended || this.#stuckAt === this.#now()) return;
      const before = this.#ended;
      const hasEnded = (): Promise<true | undefined> => Promise.resolve(this.#ended > before ? true : undefined);
      if (await this.#soon(hasEnded)) continue;
      if ((await blocked()) >= this.#begun - this.#ended) this.#stuckAt = this.#now();
    }
  }

  async #soon(hasEnded: () => Promise<true | undefined>): Promise<boolean> {
    // Waits by turns: most statements are done within a few; a timer would make each of them a millisecond.
    for (let turns = 0; turns < 200; turns += 1) {
      if ((await hasEnded()) === true) return true;
      await turn();
    }
    return (await waitFor(systemClock, hasEnded, { withinMs: ASKED_AFTER_MS, everyMs: 1 })) === true;
  }

  #now(): string {
    return `${this.#begun}/${this.#ended}`;
  }
}
