/** The clockwork of a process that lives: it does what is due once a second, and as soon as it knows of something. */
import type { LocalClock } from '../context/ports.ts';
import type { Context } from '../context/context.ts';
import { drainDueWork } from './drain.ts';

/** Without any hint the table is read this often, in milliseconds. */
const TICK_MS = 1_000;
/**
 * A row that can still be claimed after a read is new: the next read comes so soon, in milliseconds. One that another replica holds is left
 * to it until its lease is over. Without it one deadline among many waits for the tick (bench/RESULTS.md, lateness).
 */
const BUSY_MS = 50;

/** Ticks once a second, and as soon as something is due that this process knows of. */
export class DueLoop implements AsyncDisposable {
  readonly #ctx: Context;
  readonly #local: Pick<LocalClock, 'elapsed'>;
  #cancel: () => void = () => {};
  /**
   * When its timer rings, by a clock that cannot be set. By the clock of the rows, a timer from before a jump forwards
   * would seem to ring before all newer rows, and those would wait for it, for as long as the timer runs.
   */
  #rings = Number.POSITIVE_INFINITY;
  #running: Promise<void> | null = null;
  #again = false;
  readonly #stopping = new AbortController();

  constructor(ctx: Context, local: Pick<LocalClock, 'elapsed'>) {
    this.#ctx = ctx;
    this.#local = local;
    this.wake(ctx.clock.now());
  }

  /** Something is due at this time, epoch milliseconds. */
  wake(at: number): void {
    const ms = Math.max(0, at - this.#ctx.clock.now());
    const rings = this.#local.elapsed() + ms;
    if (this.#stopping.signal.aborted || rings >= this.#rings) return;
    this.#cancel();
    this.#rings = rings;
    this.#cancel = this.#ctx.clock.after(ms, () => this.#tick());
  }

  #tick(): void {
    this.#rings = Number.POSITIVE_INFINITY;
    if (this.#running !== null) {
      this.#again = true;
      return;
    }
    this.#running = this.#drain().finally(() => {
      this.#running = null;
      if (this.#stopping.signal.aborted) return;
      this.wake(this.#ctx.clock.now() + (this.#again ? 0 : TICK_MS));
      this.#again = false;
    });
  }

  async #drain(): Promise<void> {
    try {
      await drainDueWork(this.#ctx, { stopping: this.#stopping.signal });
      if (this.#stopping.signal.aborted) return;
      const next = await this.#ctx.store.nextDueAt(this.#ctx.clock.now());
      if (next !== null) this.wake(Math.max(next, this.#ctx.clock.now() + BUSY_MS));
    } catch (error) {
      this.#ctx.log('warn', 'The due work could not be read; trying again', { error: String(error) });
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort();
    this.#cancel();
    await this.#running;
  }
}
