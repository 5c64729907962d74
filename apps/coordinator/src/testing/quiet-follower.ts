/** Follows a fleet in which nothing happens; fails if waits are kept. A thread, because counting promises reads its whole heap: that of tests is large. */
import { queryObjects } from 'node:v8';
import { Waiters } from '../context/waiters.ts';
import { FeedTail } from '../use-cases/feed/tail.ts';

const WAITS = 2_000;

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

const kept = queryObjects(Promise, { format: 'count' }) - before;
if (kept >= WAITS / 4) throw new Error(`${WAITS} waits left ${kept} promises behind`);
