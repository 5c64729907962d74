/**
 * The time of a replica is that of the database's clock: replicas whose own clocks differ would end
 * one another's waits too early (docs/adr/0004). Asked before each read of the due work, so about once a second.
 */
import type { Clock, LocalClock } from '../context/ports.ts';

/** The database's clock as one replica knows it. Between two answers the time that passes here is added. */
export class DatabaseClock implements Clock {
  readonly #local: LocalClock;
  readonly #read: () => Promise<number>;
  /** The database's time less `elapsed`, in milliseconds. */
  #offset: number;

  private constructor(local: LocalClock, read: () => Promise<number>) {
    this.#local = local;
    this.#read = read;
    this.#offset = Number.NEGATIVE_INFINITY;
  }

  /** @param read What the database says, epoch milliseconds. @throws what it throws. */
  static async open(local: LocalClock, read: () => Promise<number>): Promise<DatabaseClock> {
    const clock = new DatabaseClock(local, read);
    await clock.sync();
    return clock;
  }

  now(): number {
    return Math.floor(this.#local.elapsed() + this.#offset);
  }

  after(ms: number, run: () => void): () => void {
    return this.#local.after(ms, run);
  }

  /**
   * The database read its clock after it was asked and before it answered, so an offset between `least` and `most` is
   * right: one that lies there stays, and a slow answer spoils nothing. Another one becomes the least, which is never ahead
   * of the database: what is due a moment late is only late.
   */
  async sync(): Promise<void> {
    const askedAt = this.#local.elapsed();
    const said = await this.#read();
    const least = said - this.#local.elapsed();
    const most = said + 1 - askedAt; // it says whole milliseconds
    if (this.#offset < least || this.#offset > most) this.#offset = least;
  }
}
