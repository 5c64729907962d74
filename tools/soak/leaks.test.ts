// Checks that a process that grows is told apart from one that swings, and from one that has not lived long enough.
import { expect, test } from 'vitest';
import { growthOf, stockOf, type Weight } from './leaks.ts';

const MIB = 1_024 * 1_024;

/** A weight every 10 s. */
function lifetime(
  minutes: number,
  bytes: (at: number) => number,
  handles: (at: number) => number = () => 20,
): Weight[] {
  return Array.from({ length: minutes * 6 }, (_, index) => ({
    at: index * 10_000,
    bytes: bytes(index / 360),
    handles: handles(index / 360),
  }));
}

test.each<[string, readonly Weight[], boolean | null]>([
  ['swings and does not grow', lifetime(60, (hours) => 80 * MIB + Math.sin(hours * 60) * 10 * MIB), false],
  ['grows by 60 MiB an hour', lifetime(60, (hours) => 80 * MIB + hours * 60 * MIB), true],
  [
    'opens a handle each minute',
    lifetime(
      60,
      () => 80 * MIB,
      (hours) => 20 + hours * 60,
    ),
    true,
  ],
  [
    'swings while it begins, and then stays',
    lifetime(60, (hours) => (hours < 0.15 ? 180 + hours * 600 : 252) * MIB),
    false,
  ],
  ['has lived for 40 minutes only', lifetime(40, (hours) => 80 * MIB + hours * 600 * MIB), null],
])('given a process that %s, when its life is judged, then that is said', (_, weights, leaks) => {
  expect(growthOf('agent (1)', weights).leaks).toBe(leaks);
});

test.each<[string, number, number, boolean, boolean | null]>([
  ['rows that stay', 60, 0, false, false],
  ['a row more each minute', 60, 60, false, true],
  ['history, which grows with the work', 60, 600, true, null],
  ['a look of ten minutes only', 10, 600, false, null],
])('given %s, when the stock is judged, then that is said', (_, minutes, perHour, isHistory, leaks) => {
  const points = Array.from(
    { length: minutes },
    (__, minute) => [minute * 60_000, 5 + (minute / 60) * perHour] as const,
  );

  const stock = stockOf('rows due_work', points, isHistory);

  expect({ ...stock, perHour: Math.round(stock.perHour) }).toMatchObject({ perHour, leaks });
});
