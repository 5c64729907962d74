/** A follower of the log hears of late commits at once, also where no hint comes. */
import type { EventRow, FeedPage } from '@drover/store';
import { expect, test } from 'vitest';
import { Waiters } from '../../context/waiters.ts';
import { followEvents } from './follow.ts';

const LINE = { id: 7 } as EventRow;
const NOTHING: FeedPage = { events: [], isBehind: false };
const BEHIND: FeedPage = { events: [], isBehind: true };
const FILTER = { after: 0, limit: 10 };

test('given a transaction under way whose lines come first, when it is undone without a hint, then the line after it comes soon', async () => {
  const scene = given([BEHIND, BEHIND, { events: [LINE], isBehind: false }]);

  const followed = scene.follow(20_000);
  await scene.pass(25);
  await scene.pass(25);

  expect(await followed).toEqual([LINE]);
});

test('given a hint that comes while the log is read, when nothing was there yet, then it is read again at once', async () => {
  const scene = given([NOTHING, { events: [LINE], isBehind: false }]);

  const followed = scene.follow(20_000);
  scene.events.wake('somebody');

  expect(await followed).toEqual([LINE]);
});

test('given decisions that no person reads, when hints come of them, then the follower waits on, until its time is over', async () => {
  const scene = given([NOTHING, NOTHING, NOTHING]);

  const followed = scene.follow(20_000);
  await scene.pass(10_000);
  scene.events.wake('somebody');
  await scene.pass(10_000);

  expect(await followed).toEqual([]);
  expect(scene.reads()).toBe(3);
});

/** Lets all pending promises settle that wait for no timer. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
}

/** Fakes a log that answers with one page for each read, and a clock. */
function given(pages: readonly FeedPage[]) {
  let [now, reads] = [0, 0];
  let timers: { readonly at: number; readonly run: () => void }[] = [];
  const events = new Waiters();
  const clock = {
    now: () => now,
    after: (ms: number, run: () => void) => {
      const timer = { at: now + ms, run };
      timers.push(timer);
      return () => {
        timers = timers.filter((other) => other !== timer);
      };
    },
  };
  const store = {
    followEvents: () => {
      reads += 1;
      return Promise.resolve(pages[reads - 1] ?? NOTHING);
    },
  };
  return {
    events,
    reads: () => reads,
    follow: (waitMs: number) => followEvents({ store, clock }, FILTER, { events, waitMs }),
    pass: async (ms: number): Promise<void> => {
      await settle();
      now += ms;
      for (const { at, run } of timers.toSorted((one, other) => one.at - other.at)) if (at <= now) run();
      await settle();
    },
  };
}
