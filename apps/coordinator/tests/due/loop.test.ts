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

  fire(): void {
    const timer = this.#timer;
    if (timer === null) throw new Error('No timer is armed');
    this.#timer = null;
    this.#elapsed = timer.rings;
    timer.run();
  }

  /** Fires the timer, and waits until the loop has asked for the time. */
  async ring(): Promise<void> {
    this.#asked = Promise.withResolvers();
    this.#answer = Promise.withResolvers();
    this.fire();
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

test.each<[string, (loop: DueLoop, clock: SetClock) => void, { readonly asked: number; readonly rings: number }]>([
  ['at once, when the loop is about to end', (loop, clock) => loop.wake(clock.now()), { asked: 0, rings: 0 }],
  [
    'at once, while the loop goes on for longer than a timer takes',
    (loop, clock) => {
      loop.wake(clock.now());
      clock.fire();
    },
    { asked: 0, rings: 0 },
  ],
  ['in a minute', (loop, clock) => loop.wake(clock.now() + 60_000), { asked: 1, rings: TICK_MS }],
])(
  'given work that makes more due %s, then only what is due makes the question of the next needless',
  async (_when, does, expected) => {
    await using stored = await inMemory();
    const clock = new SetClock();
    const ctx = contextOf(stored.open(), new Nature());
    let asked = 0;
    let hint: (() => void) | null = null;
    const store: typeof ctx.store = {
      ...ctx.store,
      nextDueAt: (now) => {
        asked += 1;
        return ctx.store.nextDueAt(now);
      },
      claimDueWork: async (...given) => {
        const rows = await ctx.store.claimDueWork(...given);
        hint?.();
        return rows;
      },
    };
    await using loop = new DueLoop({ ...ctx, store, clock }, clock);
    hint = () => does(loop, clock);

    await clock.ring();
    clock.answer(0);
    await expect.poll(() => clock.rings, { interval: 1 }).toBe(expected.rings);
    expect(asked).toBe(expected.asked);

    hint = null;
    await clock.ring();
    clock.answer(0);
    await expect.poll(() => asked, { interval: 1 }).toBe(expected.asked + 1);
  },
);
