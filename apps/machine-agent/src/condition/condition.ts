/** How is this machine? Read soon after the agent starts and then slowly, and told with the next sync. */
import { statfs } from 'node:fs/promises';
import { availableParallelism, freemem, loadavg, totalmem } from 'node:os';
import { dirname } from 'node:path';
import type { Condition } from '@drover/protocol';
import type { Clock, Log } from '../ports.ts';
import type { Programs } from './programs.ts';

/** A reading; when it is sent is said with it. */
export type ConditionRead = Omit<Condition, 'sentAt'>;

/** Time between two readings, in milliseconds. The coordinator goes by one for ten minutes. */
export const READ_EVERY_MS = 60_000;
/** Time from the first reading to the second, which asks programs for their versions: a start is not slowed by that. */
export const VERSIONS_AFTER_MS = 15_000;

/** Where the numbers come from. */
export interface Gauges {
  readonly processors: () => number;
  readonly load: () => number;
  readonly memory: () => Condition['memory'];
  /** Null: it cannot be read. */
  readonly disk: () => Promise<Condition['disk']>;
}

/** What watching takes. */
interface WatchOptions {
  readonly programs: Pick<Programs, 'read'>;
  readonly gauges: Gauges;
  readonly clock: Pick<Clock, 'setTimer'>;
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

  /** The newest reading; null: there is none yet. The same object until there is a newer one. */
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
        processors: gauges.processors(),
        load: gauges.load(),
        memory: gauges.memory(),
        disk: await gauges.disk(),
      };
    } catch (error) {
      log('warn', `Could not read how this machine is: ${error instanceof Error ? error.message : String(error)}`);
    }
    if (this.#isOver) return;
    this.#cancel = clock.setTimer(nextMs, () => void this.#read({ ask: true, nextMs: READ_EVERY_MS }));
  }

  [Symbol.dispose](): void {
    this.#isOver = true;
    this.#cancel();
  }
}

/** The gauges of this machine. @param place Where checkouts lie; it need not be there yet. */
export function localGauges(place: string): Gauges {
  return {
    processors: availableParallelism,
    load: () => loadavg()[0] ?? 0,
    // What programs can still get: on Linux the caches of files count as free.
    memory: () => ({ bytes: totalmem(), freeBytes: freemem() }),
    disk: () => diskOf(place),
  };
}

async function diskOf(place: string): Promise<Condition['disk']> {
  try {
    const { blocks, bavail, bsize } = await statfs(place);
    return { bytes: blocks * bsize, freeBytes: bavail * bsize };
  } catch {
    return dirname(place) === place ? null : diskOf(dirname(place));
  }
}
