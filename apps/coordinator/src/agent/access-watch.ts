/** Closes connections of machines that may not go on. Reads the access of all of them together, every four seconds. */
import type { Machine } from '@drover/store';
import type { Context } from '../context/context.ts';
import { ACCESS_CHECK_EVERY_MS, endBy } from './sync.ts';

/** A connection that is open. */
interface Open {
  readonly machine: Pick<Machine, 'id' | 'epoch'>;
  /** Runs at each check once the connection must no longer be served. */
  readonly over: () => void;
}

/** Watches open connections; reads the database only while at least one is open. */
export class AccessWatch implements Disposable {
  readonly #ctx: Context;
  readonly #open = new Set<Open>();
  #cancel: (() => void) | null = null;

  constructor(ctx: Context) {
    this.#ctx = ctx;
  }

  /** @returns a function that ends the watch. */
  watch(machine: Pick<Machine, 'id' | 'epoch'>, over: () => void): () => void {
    const open = { machine, over };
    this.#open.add(open);
    this.#arm();
    return () => void this.#open.delete(open);
  }

  #arm(): void {
    if (this.#cancel !== null || this.#open.size === 0) return;
    this.#cancel = this.#ctx.clock.after(ACCESS_CHECK_EVERY_MS, () => void this.#check());
  }

  async #check(): Promise<void> {
    const { store, clock, log } = this.#ctx;
    try {
      const ids = [...new Set([...this.#open].map(({ machine }) => machine.id))];
      const access = new Map((await store.listAccess(ids)).map((one) => [one.id, one]));
      const now = clock.now();
      // A connection opened meanwhile, for a machine outside this query, is checked next time.
      const asked = new Set(ids);
      for (const { machine, over } of this.#open)
        if (asked.has(machine.id) && endBy(access.get(machine.id), machine.epoch, now) !== null) over();
    } catch (error) {
      log('debug', `Cannot check the access of open connections: ${String(error)}`);
    }
    this.#cancel = null;
    this.#arm();
  }

  [Symbol.dispose](): void {
    this.#cancel?.();
    this.#open.clear();
  }
}
