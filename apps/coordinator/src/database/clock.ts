/**
 * Takes a replica's time from the database's clock: replicas whose own clocks differ would end one another's waits too early
 * (docs/adr/0004). Asks before each read of the due work, so about once a second.
 */
import type { Clock, LocalClock } from '@drover/base';

/** Estimates the database's clock for one replica: adds the time that has passed here since the last answer. */
export class DatabaseClock implements Clock {
  readonly #local: LocalClock;
  readonly #read: () => Promise<number>;
  /** Database's time less `elapsed`, in milliseconds. */
  #offset: number;

  private constructor(local: LocalClock, read: () => Promise<number>) {
    this.#local = local;
    this.#read = read;
    this.#offset = Number.NEGATIVE_INFINITY;
  }

  /** @param read Asks the database, epoch milliseconds. @throws whatever `read` throws. */
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
   * Corrects the offset. The database read its clock between the question and the answer, so an offset between `least` and `most` is
   * right and stays: a slow answer spoils nothing. Any other offset becomes `least`, which is never ahead of the database: due work is
   * then a moment late at worst.
   */
  async sync(): Promise<void> {
    const askedAt = this.#local.elapsed();
    const said = await this.#read();
    const least = said - this.#local.elapsed();
    const most = said + 1 - askedAt; // the database answers in whole milliseconds
    if (this.#offset < least || this.#offset > most) this.#offset = least;
  }
}
