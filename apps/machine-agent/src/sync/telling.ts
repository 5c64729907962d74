/** Chooses the log level of a failure to reach the coordinator. */
import { SYNC_ERRORS, SyncError } from './errors.ts';

/** Failures of one kind in a row after which it is logged again. */
const SAID_AGAIN = 20;

/** Remembers earlier log lines. A coordinator that is away for long is logged once in a while, not four times a minute. */
export class Telling {
  #hopeless: string | null = null;
  #times = 0;

  /** @param failures Failures of any kind in a row, from 1. */
  levelFor(error: unknown, failures: number): 'error' | 'warn' | 'debug' {
    if (!(error instanceof SyncError) || SYNC_ERRORS[error.code].retry) {
      this.#hopeless = null;
      return failures <= 2 || failures % SAID_AGAIN === 0 ? 'warn' : 'debug';
    }
    // Trouble that only a person can end is logged at once, however many other failures there were before.
    this.#times = error.code === this.#hopeless ? this.#times + 1 : 0;
    this.#hopeless = error.code;
    return this.#times % SAID_AGAIN === 0 ? 'error' : 'debug';
  }
}
