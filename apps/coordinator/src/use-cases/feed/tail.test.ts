// Checks that followers of a fleet in which nothing happens leave nothing behind.
import { queryObjects } from 'node:v8';
import { expect, test } from 'vitest';
import { Waiters } from '../../context/waiters.ts';
import { FeedTail } from './tail.ts';

const WAITS = 2_000;

test('given a fleet in which nothing happens, when a follower has waited thousands of times, then none of its waits is kept', async () => {
  using tail = new FeedTail({
    store: { followAnnouncements: () => Promise.resolve({ items: [], settled: 0, isBehind: false, isLost: false }) },
    clock: {
      // The reader's next look is far away; a wait of the follower is over at once.
      after: (ms, run) => {
        if (ms === 0) queueMicrotask(run);
        return () => {};
      },
    },
    log: () => {},
    events: new Waiters(),
  });
  const { signal } = new AbortController();
  await tail.wait(0, { ms: 0, signal });
  const before = queryObjects(Promise, { format: 'count' });

  for (let count = 0; count < WAITS; count += 1) await tail.wait(0, { ms: 0, signal });

  expect(queryObjects(Promise, { format: 'count' }) - before).toBeLessThan(WAITS / 4);
});
