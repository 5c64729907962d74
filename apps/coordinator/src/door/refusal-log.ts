/** Logs refusals of the port, at most one a second, so that a stranger cannot fill the disk. */
import type { Clock, Log } from '@drover/base';

const EVERY_MS = 1_000;

/** Logs the first refusal at once, then once a second the last one, with the number of refusals left out. */
export class RefusalLog implements Disposable {
  readonly #log: Log;
  readonly #clock: Pick<Clock, 'after'>;
  #leftOut = 0;
  #last = '';
  #cancel: (() => void) | null = null;

  constructor({ log, clock }: { readonly log: Log; readonly clock: Pick<Clock, 'after'> }) {
    this.#log = log;
    this.#clock = clock;
  }

  /** @param what Words that name the caller, the refused request and the reason. */
  note(what: string): void {
    if (this.#cancel !== null) {
      this.#leftOut += 1;
      this.#last = what;
      return;
    }
    this.#tell(what);
  }

  #tell(what: string): void {
    this.#log('warn', what);
    this.#cancel = this.#clock.after(EVERY_MS, () => this.#flush());
  }

  #flush(): void {
    this.#cancel = null;
    if (this.#leftOut === 0) return;
    const more = this.#leftOut - 1;
    this.#leftOut = 0;
    this.#tell(more === 0 ? this.#last : `${this.#last} (and ${more} more in the previous second)`);
  }

  [Symbol.dispose](): void {
    this.#cancel?.();
  }
}
