/** Sync interval of an idle machine. */
import { expect, test } from 'vitest';
import { syncIntervalMs } from './sync.ts';

test('given a shorter lease, when the next sync is set, then six signs of life fit into it', () => {
  const leases = { suspectAfterMs: 6_000, disconnectedAfterMs: 9_000 };

  expect(syncIntervalMs(1, 0.5, leases)).toBe(1_000);
});

test.each([
  ['one machine', 1, 0.5, 5_000],
  ['250 machines, the last that keep the shortest time', 250, 0.5, 5_000],
  ['500 machines', 500, 0.5, 10_000],
  ['the early end of the spread', 1, 0, 4_000],
  ['the late end of the spread', 1, 1, 6_000],
])(
  'given %s, when the next sync is set, then the fleet sends at most 50 a second',
  (_what, machines, random, expected) => {
    const intervalMs = syncIntervalMs(machines, random);

    expect(intervalMs).toBe(expected);
  },
);
