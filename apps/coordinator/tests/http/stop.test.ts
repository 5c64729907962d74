/** A coordinator that stops answers the calls that wait. */
import { expect, test } from 'vitest';
import { openTestDatabase } from '@drover/store/testing';
import { systemClock } from '../../src/index.ts';
import { call, replica } from '../support/coordinator.ts';

/** Open requests are cut after this time, in milliseconds: a stop that is quicker has not waited for any. */
const GRACE_MS = 2_000;

test('given a client that waits for news, when the coordinator stops, then the client is answered and the stop is quick', async () => {
  await using database = await openTestDatabase();
  const errors: string[] = [];
  const coordinator = await replica(database.connectionString, {
    log: (level, message) => void (level === 'error' && errors.push(message)),
  });
  const waiting = call(coordinator.url, 'events', { waitMs: 20_000, limit: 1 });
  // A second question that was answered: the first has been heard by then.
  await call(coordinator.url, 'info');

  const startedAt = systemClock.now();
  await coordinator[Symbol.asyncDispose]();
  const tookMs = systemClock.now() - startedAt;

  expect(await waiting).toEqual([]);
  expect(errors).toEqual([]);
  expect(tookMs).toBeLessThan(GRACE_MS);
});
