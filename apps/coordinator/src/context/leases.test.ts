/** Judges a machine by the leases of its coordinator. */
import { expect, test } from 'vitest';
import { DEFAULT_LEASES, machineState } from './leases.ts';

const SHORT = { suspectAfterMs: 3_000, disconnectedAfterMs: 5_000 };

test.each([
  ['the default leases, silent for 29 s', DEFAULT_LEASES, 29_999, 'connected'],
  ['the default leases, silent for 30 s', DEFAULT_LEASES, 30_000, 'suspect'],
  ['the default leases, silent for 90 s', DEFAULT_LEASES, 90_000, 'disconnected'],
  ['short leases, silent for 3 s', SHORT, 3_000, 'suspect'],
  ['short leases, silent for 5 s', SHORT, 5_000, 'disconnected'],
])('given %s, when a machine is judged, then the lease decides', (_what, leases, silentMs, state) => {
  expect(machineState({ lastSeenAt: 1_000, revokedAt: null }, { now: 1_000 + silentMs, leases })).toBe(state);
});

test('given a machine that never said hello, when it is judged, then it is not called lost', () => {
  expect(machineState({ lastSeenAt: null, revokedAt: null }, { now: 1e12, leases: SHORT })).toBe('never');
});

test.each([null, 1_000])('given a revoked machine, when it was heard of at %s, then it is revoked', (lastSeenAt) => {
  expect(machineState({ lastSeenAt, revokedAt: 1_000 }, { now: 1_000, leases: SHORT })).toBe('revoked');
});
