// Tests that the loop of the due work reads again in time, also when the clock of all replicas is set.
import type { LocalClock } from '@drover/base';
import { expect, test } from 'vitest';
import { DueLoop } from '../../src/due/loop.ts';
import { contextOf, inMemory, Nature } from '../support/scene.ts';

const HOUR_MS = 3_600_000;
const TICK_MS = 1_000;

/** Fakes timers that fire on request, and a time of day that is set with the next answer of the database. */
class SetClock implements LocalClock {
  #elapsed = 0;
  #offset = 0;
  #asked = Promise.withResolvers<void>();
  #answer = Promise.withResolvers<void>();
  #timer: { readonly rings: number; readonly run: () => void } | null = null;

  readonly elapsed = (): number => this.#elapsed;
  readonly now = (): number => this.#elapsed + this.#offset;

  after(ms: number, run: () => void): () => void {
    this.#timer = { rings: this.#elapsed + ms, run };
    return () => (this.#timer = null);
  }

  async sync(): Promise<void> {
    this.#asked.resolve();
    await this.#answer.promise;
  }

  /** Returns the milliseconds until the timer fires; null when there is none. */
  get rings(): number | null {
    return this.#timer === null ? null : this.#timer.rings - this.#elapsed;
  }

  /** Fires the timer, and waits until the loop has asked for the time. */
  async ring(): Promise<void> {
    const timer = this.#timer;
    if (timer === null) throw new Error('No timer is armed');
    this.#timer = null;
    this.#elapsed = timer.rings;
    this.#asked = Promise.withResolvers();
    this.#answer = Promise.withResolvers();
    timer.run();
    await this.#asked.promise;
  }

  /** Lets the database answer, by a clock that was set by `jumpMs`. */
  answer(jumpMs: number): void {
    this.#offset += jumpMs;
    this.#answer.resolve();
  }
}

test.each([
  ['forwards', HOUR_MS],
  ['backwards', -HOUR_MS],
])(
  'given something due in a minute, when the clock jumps an hour %s while the time is asked for, then the next look comes within the tick',
  async (_direction, jumpMs) => {
    await using stored = await inMemory();
    const clock = new SetClock();
    await using loop = new DueLoop({ ...contextOf(stored.open(), new Nature()), clock }, clock);

    await clock.ring();
    loop.wake(clock.now() + 60_000);
    clock.answer(jumpMs);

    await expect.poll(() => clock.rings, { interval: 1 }).toBe(TICK_MS);
  },
);

test('given work that makes more due at once, when it is done, then the loop goes on without asking what is next', async () => {
  await using stored = await inMemory();
  const clock = new SetClock();
  const ctx = contextOf(stored.open(), new Nature());
  let asked = 0;
  const nextDueAt = (now: number): Promise<number | null> => {
    asked += 1;
    return ctx.store.nextDueAt(now);
  };
  await using loop = new DueLoop({ ...ctx, store: { ...ctx.store, nextDueAt }, clock }, clock);

  await clock.ring();
  loop.wake(clock.now());
  clock.answer(0);
  // A store in memory answers before the next turn of the event loop.
  await new Promise(setImmediate);
  expect([asked, clock.rings]).toEqual([0, 0]);

  await clock.ring();
  clock.answer(0);
  await expect.poll(() => asked, { interval: 1 }).toBe(1);
});
