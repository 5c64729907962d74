/** Adds reports on use to days: each counts once, whatever is told again. */
import { expect, test } from 'vitest';
import { addToDay, dayOf, sumTold } from '../usage.ts';
import type { DayUsage } from '../usage.ts';

const USED = { input: 100, cached: 40, output: 10, money: null };

test('given a report that comes again, when it is added, then it counts once', () => {
  const once = addToDay([], { day: 1, usage: USED, workedMs: 5 });

  expect(once).toEqual({ day: 1, ...USED, workedMs: 5 });
  expect(addToDay([once], { day: 1, usage: USED, workedMs: 0 })).toEqual(once);
});

test('given work past midnight, when it is added, then each day has its part, and the parts are the whole', () => {
  const yesterday = addToDay([], { day: 1, usage: USED, workedMs: 5 });
  const today = addToDay([yesterday], { day: 2, usage: { ...USED, input: 130, output: 25 }, workedMs: 7 });

  expect(today).toEqual({ day: 2, input: 30, cached: 0, output: 15, money: null, workedMs: 7 });
});

test('given a smaller sum than was told before, when it is added, then nothing is taken back', () => {
  const known: DayUsage = { day: 1, ...USED, workedMs: 5 };

  expect(addToDay([known], { day: 1, usage: { ...USED, input: 3 }, workedMs: 1 })).toEqual({ ...known, workedMs: 6 });
  expect(addToDay([known], { day: 2, usage: { ...USED, input: 3 }, workedMs: 1 })).toMatchObject({
    input: 0,
    output: 0,
  });
});

test('given a program that tells nothing, when its work is added, then its use is unknown, not nothing', () => {
  expect(addToDay([], { day: 1, usage: null, workedMs: 5 })).toMatchObject({ input: null, money: null, workedMs: 5 });
  expect(sumTold([null, null])).toBeNull();
  expect(sumTold([null, 0, 2])).toBe(2);
});

test('given a time zone, when its day is asked for, then it begins at midnight there', () => {
  expect(new Date(dayOf(Date.parse('2026-11-29T20:00:00Z'), 'UTC')).toISOString()).toBe('2026-11-29T00:00:00.000Z');
  expect(new Date(dayOf(Date.parse('2026-11-29T20:00:00Z'), 'Asia/Tokyo')).toISOString()).toBe(
    '2026-11-29T15:00:00.000Z',
  );
  // Midnight comes twice: the day begins with the first.
  for (const at of ['2026-11-01T04:00:00Z', '2026-11-01T04:30:00Z', '2026-11-01T05:30:00Z', '2026-11-02T04:59:59Z'])
    expect(new Date(dayOf(Date.parse(at), 'America/Havana')).toISOString()).toBe('2026-11-01T04:00:00.000Z');
});
