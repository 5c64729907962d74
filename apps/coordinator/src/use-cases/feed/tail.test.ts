// Checks that followers of a fleet in which nothing happens leave nothing behind.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';

test('given a fleet in which nothing happens, when a follower has waited thousands of times, then none of its waits is kept', async () => {
  const follower = new URL('../../testing/quiet-follower.ts', import.meta.url);

  const [status] = await once(new Worker(follower), 'exit');

  expect(status).toBe(0);
});
