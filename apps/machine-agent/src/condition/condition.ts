/** Reads this machine's condition soon after the agent starts and then slowly, and reports it with the next sync. */
import { type LocalClock, type Log, messageOf } from '@drover/base';
import type { HostLoad } from '@drover/host';
import type { Condition } from '@drover/protocol';
import type { Programs } from './programs.ts';

/** Reading without its time of sending, which is added later. */
export type ConditionRead = Omit<Condition, 'sentAt'>;

/** Milliseconds between two readings. The coordinator uses a reading for ten minutes. */
export const READ_EVERY_MS = 60_000;
/** Milliseconds from the first reading to the second, which asks programs for their versions: a start is not slowed by that. */
export const VERSIONS_AFTER_MS = 15_000;

/** Sources of the numbers. */
export interface Gauges {
  readonly load: () => Promise<HostLoad>;
  /** Null: unreadable. */
  readonly disk: () => Promise<Condition['disk']>;
}

interface WatchOptions {
  readonly programs: Pick<Programs, 'read'>;
  readonly gauges: Gauges;
  readonly clock: Pick<LocalClock, 'after'>;
  readonly log: Log;
}

/** Holds the newest reading. Disposing it ends the watch. */
export class ConditionWatch {
  readonly #options: WatchOptions;
  #newest: ConditionRead | null = null;
  #cancel: () => void = () => {};
  #isOver = false;

  constructor(options: WatchOptions) {
    this.#options = options;
  }

  /** Newest reading; null: there is none so far. Stays the same object until there is a newer one. */
  get newest(): ConditionRead | null {
    return this.#newest;
  }

  /** Reads now without starting a program, and then again and again. */
  start(): void {
    void this.#read({ ask: false, nextMs: VERSIONS_AFTER_MS });
  }

  async #read({ ask, nextMs }: { readonly ask: boolean; readonly nextMs: number }): Promise<void> {
    const { programs, gauges, clock, log } = this.#options;
    try {
      this.#newest = {
        programs: await programs.read(ask),
        ...(await gauges.load()),
        disk: await gauges.disk(),
      };
    } catch (error) {
      log('warn', `Cannot read the load of this machine: ${messageOf(error)}`);
    }
    if (this.#isOver) return;
    this.#cancel = clock.after(nextMs, () => void this.#read({ ask: true, nextMs: READ_EVERY_MS }));
  }

  [Symbol.dispose](): void {
    this.#isOver = true;
    this.#cancel();
  }
}
