// Counts what is under way in the real world while no virtual time passes.
import { setImmediate as turn } from 'node:timers/promises';
import { systemClock } from '@drover/base';

/** Milliseconds without an end of any work after which the database is asked whether all wait for locks of a client that sleeps. */
const ASKED_AFTER_MS = 12;
/** The same while no client is known to sleep: a loaded computer is slow, and each question makes it slower. */
const ASKED_AWAKE_AFTER_MS = 500;

/** Counts the real work of a simulation: time may pass when there is none, or when all of it waits for a lock. */
export class Busy {
  #begun = 0;
  #ended = 0;
  /** Counts of begun and ended work when everything under way was found to wait for locks. */
  #stuckAt = '';
  #sleepers = 0;
  #onEnd: () => void = () => {};

  /** Counts this work until it settles. */
  async track<T>(work: Promise<T>): Promise<T> {
    this.#begun += 1;
    try {
      return await work;
    } finally {
      this.#ended += 1;
      this.#onEnd();
    }
  }

  /** Counts a client that waits for virtual time, perhaps with locks, until it settles. */
  async asleep(sleep: Promise<void>): Promise<void> {
    this.#sleepers += 1;
    await sleep.finally(() => (this.#sleepers -= 1));
  }

  /** Resolves when nothing goes on by itself any more. `blocked` says how many statements wait for locks. */
  async rest(blocked: () => Promise<number>): Promise<void> {
    for (;;) {
      await turn();
      await turn();
      if (this.#begun === this.#ended || this.#stuckAt === this.#now()) return;
      if (await this.#endsSoon()) continue;
      if ((await blocked()) >= this.#begun - this.#ended) this.#stuckAt = this.#now();
    }
  }

  /** Sleeps until some work ends: polling would take processor time from the database. */
  async #endsSoon(): Promise<boolean> {
    const before = this.#ended;
    await new Promise<void>((resolve) => {
      const cancel = systemClock.after(this.#sleepers > 0 ? ASKED_AFTER_MS : ASKED_AWAKE_AFTER_MS, resolve);
      this.#onEnd = () => {
        cancel();
        resolve();
      };
    });
    this.#onEnd = () => {};
    return this.#ended > before;
  }

  #now(): string {
    return `${this.#begun}/${this.#ended}`;
  }
}
