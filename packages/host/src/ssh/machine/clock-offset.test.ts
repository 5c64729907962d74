/** Checks that the clock of a machine is followed, whatever it says. */
import { expect, test } from 'vitest';
import { ClockOffset, offsetOf } from './clock-offset.ts';

const NOW = 1_900_000_000_000;
const HOUR_MS = 3_600_000;

/** A list that took 40 ms, of a machine whose clock is ahead by `aheadMs`. */
function listAt(now: number, aheadMs: number): { second: number; before: number; after: number } {
  return { second: Math.floor((now + aheadMs) / 1_000), before: now - 20, after: now + 20 };
}

test.each([HOUR_MS, -HOUR_MS, 10_000, -10_000])(
  'given a clock that agrees, when it is set by %d ms, then the next list tells it to half a second, and a hundred of them to a twentieth',
  (aheadMs) => {
    const clock = new ClockOffset();
    clock.note(listAt(NOW + 300, 0));
    expect(clock.ms).toBe(0);

    clock.note(listAt(NOW + 1_370, aheadMs));
    expect(Math.abs(clock.ms - aheadMs)).toBeLessThan(600);

    for (let at = 0; at < 100; at += 1) clock.note(listAt(NOW + 2_000 + at * 1_010, aheadMs));
    expect(Math.abs(clock.ms - aheadMs)).toBeLessThan(50);

    clock.note(listAt(NOW + 200_000, 0));
    expect(clock.ms).toBe(0);
  },
);

test('given an offset that was read to the millisecond, when lists in whole seconds come, then they do not blur it', () => {
  const clock = new ClockOffset();
  clock.noteText(`${(NOW + HOUR_MS) / 1_000}.250`, { before: NOW + 230, after: NOW + 270 });

  for (let at = 0; at < 50; at += 1) clock.note(listAt(NOW + at * 1_030, HOUR_MS));

  expect(clock.ms).toBe(HOUR_MS);
});

test('given a clock that drifts away by a millisecond with each list, when lists come, then it is followed closely', () => {
  const clock = new ClockOffset();

  for (let at = 0; at <= 5_000; at += 1) clock.note(listAt(NOW + at * 1_010, at));

  expect(Math.abs(clock.ms - 5_000)).toBeLessThan(200);
});

test.each([
  ['no number', Number.NaN],
  ['no end', Number.POSITIVE_INFINITY],
])('given a time that is %s, when it is noted, then what was known stays', (_, second) => {
  const clock = new ClockOffset();
  clock.note(listAt(NOW, HOUR_MS));
  const before = clock.ms;

  clock.note({ second, before: NOW, after: NOW });

  expect(clock.ms).toBe(before);
});

test.each([
  ['1970', 0],
  ['9999', 253_402_300_799],
  ['a second before 1970', -1],
])(
  'given a clock of %s, when it is noted, then the offset is a number that tells dates, and the truth heals it',
  (_, second) => {
    const clock = new ClockOffset();

    clock.note({ second, before: NOW, after: NOW + 40 });

    expect(Number.isSafeInteger(clock.ms)).toBe(true);
    expect(Math.abs(NOW + clock.ms - second * 1_000)).toBeLessThan(1_500);
    clock.note(listAt(NOW + 5_000, 0));
    expect(clock.ms).toBe(0);
  },
);

test('given a clock here that is set back while a list is under way, when it is noted, then it changes nothing', () => {
  const clock = new ClockOffset();

  clock.note({ second: NOW / 1_000, before: NOW, after: NOW - HOUR_MS });

  expect(clock.ms).toBe(0);
});

test.each([
  ['1900000000.000000000', 0],
  ['1900003600.000000000', HOUR_MS],
  ['1900000000.N', 0],
  ['', 0],
  ['date: not found', 0],
])('given that a machine says %j, when its clock is judged by that alone, then it is %d ms ahead', (text, expected) => {
  expect(offsetOf(text, { before: NOW - 20, after: NOW + 20 })).toBe(expected);
});
