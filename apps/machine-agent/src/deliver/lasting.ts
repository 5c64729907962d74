/** Measures for how long an observation lasts. A glance at a pane in between changes proves nothing. */
import type { LocalClock } from '@drover/base';

/** Follows observations from its creation on. */
export class Lasting {
  readonly #clock: Pick<LocalClock, 'elapsed'>;
  #what: string | null = null;
  #since: number;

  constructor(clock: Pick<LocalClock, 'elapsed'>) {
    this.#clock = clock;
    this.#since = clock.elapsed();
  }

  /** Milliseconds for which this was seen without a break; the first observation counts from the beginning. */
  see(what: string): number {
    const now = this.#clock.elapsed();
    if (this.#what !== null && this.#what !== what) this.#since = now;
    this.#what = what;
    return now - this.#since;
  }
}
