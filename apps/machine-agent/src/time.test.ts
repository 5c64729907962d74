/** Checks that a controller follows signals for as long as it should, and no longer. */
import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { follow } from './time.ts';

test('given two signals, when one fires, then the controller that follows them aborts for the same reason', () => {
  const [one, other, own] = [new AbortController(), new AbortController(), new AbortController()];
  follow(own, one.signal, other.signal);

  other.abort('it is over');

  expect(own.signal.aborted).toBe(true);
  expect(own.signal.reason).toBe('it is over');
});

test('given a signal that has fired, when a controller is to follow it, then it aborts at once', () => {
  const own = new AbortController();

  follow(own, new AbortController().signal, AbortSignal.abort('long ago'));

  expect(own.signal.reason).toBe('long ago');
});

test('given a controller whose following was ended, when the signal fires, then it hears nothing, and nothing is kept', () => {
  const [one, own] = [new AbortController(), new AbortController()];
  const unfollow = follow(own, one.signal);

  unfollow();
  const kept = getEventListeners(one.signal, 'abort');
  one.abort();

  expect(own.signal.aborted).toBe(false);
  expect(kept).toEqual([]);
});
