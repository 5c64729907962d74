/** A stopping coordinator answers the calls that wait. */
import { systemClock } from '@drover/base';
import { expect, test } from 'vitest';
import { openTestDatabase } from '@drover/store/testing';
import { call, replica } from '../support/coordinator.ts';

/** Milliseconds that the call would wait. The stop does not wait for its end, and does not cut off the call either: a cut call would fail. */
const WAIT_MS = 20_000;

test('given a client that waits for news, when the coordinator stops, then the client is answered and the stop is quick', async () => {
  await using database = await openTestDatabase();
  const errors: string[] = [];
  const coordinator = await replica(database.connectionString, {
    log: (level, message) => void (level === 'error' && errors.push(message)),
  });
  const waiting = call(coordinator.url, 'events', { waitMs: WAIT_MS, limit: 1 });
  // A second answered question proves that the first has arrived.
  await call(coordinator.url, 'info');

  const startedAt = systemClock.now();
  await coordinator[Symbol.asyncDispose]();
  const tookMs = systemClock.now() - startedAt;

  expect(await waiting).toEqual([]);
  expect(errors).toEqual([]);
  expect(tookMs).toBeLessThan(WAIT_MS / 2);
});
