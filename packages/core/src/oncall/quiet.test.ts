import { expect, test } from 'vitest';
import fc from 'fast-check';
import { isQuiet, quietEnd } from './quiet.ts';
import type { QuietHours } from './policy.ts';

const NIGHT: QuietHours = { from: 22 * 60, to: 7 * 60, days: ['mon', 'tue', 'wed', 'thu', 'fri'], through: 'fatal' };
const BERLIN = { zone: 'Europe/Berlin', quiet: NIGHT };

const at = (iso: string): number => Date.parse(iso);

test.each([
  ['a Monday evening before ten', '2026-11-23T20:59:00Z', false],
  ['a Monday evening at ten', '2026-11-23T21:00:00Z', true],
  ['the morning after, before seven', '2026-11-24T05:59:00Z', true],
  ['the morning after, at seven', '2026-11-24T06:00:00Z', false],
  ['Saturday morning, which belongs to the night of Friday', '2026-11-28T05:00:00Z', true],
  ['Saturday evening, which is not named', '2026-11-28T22:00:00Z', false],
  ['Monday morning, which belongs to the night of Sunday', '2026-11-23T05:00:00Z', false],
])('given nights of working days in Berlin, when it is %s, then that is quiet or not', (_, iso, quiet) => {
  expect(isQuiet(BERLIN, at(iso))).toBe(quiet);
});

test.each([
  ['in winter', '2026-11-23T23:30:00Z', '2026-11-24T06:00:00Z'],
  ['in the night in which the clocks go forward', '2026-03-27T23:30:00Z', '2026-03-28T06:00:00Z'],
])('given quiet hours, when they end %s, then that is seven on the wall', (_, from, to) => {
  expect(quietEnd(BERLIN, at(from))).toBe(at(to));
});

test.each([
  ['an hour shorter', '2026-03-28T22:30:00Z', '2026-03-29T05:00:00Z'],
  ['an hour longer', '2026-10-24T21:30:00Z', '2026-10-25T06:00:00Z'],
])('given a night that is %s, when its quiet hours end, then that is seven on the wall', (_, from, to) => {
  const everyDay = { ...BERLIN, quiet: { ...NIGHT, days: ['sat', 'sun'] as const } };

  expect(quietEnd(everyDay, at(from))).toBe(at(to));
});

test('given hours that leave nothing of the week, when a question waits, then it is not held for ever', () => {
  const all = { from: 0, to: 0, days: ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'], through: 'fatal' } as const;

  expect(quietEnd({ zone: 'UTC', quiet: all }, 5_000)).toBe(5_000);
});

test('given any quiet hours, when they hold, then they end at the first minute that is not quiet', () => {
  const day = fc.constantFrom(...(['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const));
  const hours = fc.record({
    from: fc.integer({ min: 0, max: 1_439 }),
    to: fc.integer({ min: 0, max: 1_439 }),
    days: fc.uniqueArray(day, { minLength: 1, maxLength: 6 }),
    through: fc.constant('fatal' as const),
  });
  const zone = fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kolkata');
  fc.assert(
    fc.property(hours, zone, fc.integer({ min: 1.7e12, max: 1.9e12 }), (quiet, name, now) => {
      const policy = { zone: name, quiet };
      const end = quietEnd(policy, now);

      if (!isQuiet(policy, now)) expect(end).toBe(now);
      else {
        expect(end).toBeGreaterThan(now);
        expect(isQuiet(policy, end)).toBe(false);
        expect(isQuiet(policy, Math.max(now, end - 1))).toBe(true);
      }
    }),
    { numRuns: 200 },
  );
});
