/** For how long has the same been seen? One glance at a pane in between changes proves nothing. */
import type { Clock } from '../ports.ts';

/** Follows what is seen, from its making on. */
export class Lasting {
  readonly #clock: Pick<Clock, 'elapsed'>;
  #what: string | null = null;
  #since: number;

  constructor(clock: Pick<Clock, 'elapsed'>) {
    this.#clock = clock;
    this.#since = clock.elapsed();
  }

  /** Milliseconds for which this was seen without a break; what is seen first counts from the beginning. */
  see(what: string): number {
    const now = this.#clock.elapsed();
    if (this.#what !== null && this.#what !== what) this.#since = now;
    this.#what = what;
    return now - this.#since;
  }
}
