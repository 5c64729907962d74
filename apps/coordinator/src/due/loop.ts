/** Runs the due work of a living process once a second, and as soon as the process knows of due work. */
import type { LocalClock } from '@drover/base';
import type { Context } from '../context/context.ts';
import { drainDueWork } from './drain.ts';

/** Milliseconds between reads of the table without any hint. */
const TICK_MS = 1_000;
/**
 * Milliseconds to the next read while a row can still be claimed: such a row is new. A row that another replica holds is left to that
 * replica until its lease expires. Without this short wait, one deadline among many waits for the tick (bench/RESULTS.md, lateness).
 */
const BUSY_MS = 50;

/** Ticks once a second, and as soon as a row that this process knows of is due. */
export class DueLoop implements AsyncDisposable {
  readonly #ctx: Context;
  readonly #local: Pick<LocalClock, 'elapsed'>;
  #cancel: () => void = () => {};
  /**
   * Time at which the timer fires, by a clock that cannot be set. By the clock of the rows, a timer from before a jump forwards would
   * seem to fire before all newer rows, which would wait as long as the timer runs.
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

  /** Notes that a row is due at this time, epoch milliseconds. */
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
      // A row that this process knows of is due already: its work begins without another read.
      if (this.#stopping.signal.aborted || this.#again || this.#rings <= this.#local.elapsed()) return;
      const next = await this.#ctx.store.nextDueAt(this.#ctx.clock.now());
      if (next !== null) this.wake(Math.max(next, this.#ctx.clock.now() + BUSY_MS));
    } catch (error) {
      this.#ctx.log('warn', 'Cannot read the due work; retrying', { error: String(error) });
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort();
    this.#cancel();
    await this.#running;
  }
}
