import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { daysFromCivil, epochOfWall, wallTimeAt, weekday, type Zone } from './calendar.ts';
import { PASSED_GRACE_MS } from './clock-words.ts';
import { parseResetTime } from './reset-time.ts';
import { SPAN_MS_MAX } from './spans.ts';
import { zoneNamed, zoneOfMachine } from './zones.ts';

const BERLIN: Zone = { name: 'Europe/Berlin' };

function weekdayOf(year: number, month: number, day: number): number {
  return weekday({ year, month, day, hour: 0, minute: 0, second: 0 });
}

/** Returns the epoch milliseconds of a moment in UTC, written as `2026-03-02 15:00`. */
function utc(text: string): number {
  const [date = '', time = ''] = text.split(' ');
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number);
  const [hour = 0, minute = 0, second = 0] = time.split(':').map(Number);
  return daysFromCivil(year, month, day) * 86_400_000 + ((hour * 60 + minute) * 60 + second) * 1_000;
}

/** Monday, 16:00 in Berlin. */
const NOW = utc('2026-03-02 15:00');

function read(text: string, now = NOW): number | string {
  const reset = parseResetTime(text, { now, zone: BERLIN });
  return reset.kind === 'at' ? reset.atMs : reset.kind;
}

describe('spans', () => {
  test.each([
    ['✻ API error · retrying in 7s · attempt 1/10', 7],
    ['connection reset by server [retrying in 29s attempt #5]', 29],
    ['Try again in 5 minutes', 300],
    ['Please try again in 6m0s. Visit https://platform.example/account/rate-limits', 360],
    ['Rate limit reached: Limit 30000, Used 28000, Requested 4000. Please try again in 1.5s.', 1.5],
    ['Please try again in 250ms.', 0.25],
    ['try again in 3 days 4 hours 5 minutes', 273_900],
    ['Your quota will reset after 18h15m28s.', 65_728],
    ['Limit resets in 1h 23m', 4_980],
    ['retry after 30 seconds', 30],
    ['please retry after 20.5s', 20.5],
    ['You can try again in an hour', 3_600],
    ['"retryDelay": "34s"', 34],
    ['x-ratelimit-reset-requests: 6m0s', 360],
    ['Retry-After: 120', 120],
    ['retry-after-ms: 800', 0.8],
    ['"retry_after": 1.5', 1.5],
    ['resets_in_seconds: 90', 90],
    ['\u001b[2mretrying in\u001b[0m\n 12 s', 12],
  ])('given "%s", when it is read, then it is %d s from now', (text, seconds) => {
    expect(read(text)).toBe(NOW + seconds * 1_000);
  });
});

describe('moments', () => {
  test.each([
    ["You've hit your session limit · resets 7pm (Europe/Berlin)", '2026-03-02 18:00'],
    ['resets 7pm (America/New_York)', '2026-03-03 00:00'],
    ['resets 7:30pm', '2026-03-02 18:30'],
    ['resets at 19:00', '2026-03-02 18:00'],
    ['resets 5am', '2026-03-03 04:00'],
    ['resets 12am (Europe/Berlin)', '2026-03-02 23:00'],
    ['resets at noon (UTC)', '2026-03-03 12:00'],
    ['resets 3:30 PM PST', '2026-03-02 23:30'],
    ['resets 6pm UTC+2', '2026-03-02 16:00'],
    ['resets 5pm tomorrow', '2026-03-03 16:00'],
    ['resets tomorrow at 5am', '2026-03-03 04:00'],
    ['resets Mar 3 at 5am', '2026-03-03 04:00'],
    ['resets Mar 3, 5am (UTC)', '2026-03-03 05:00'],
    ['resets 3 March at 05:00 (UTC)', '2026-03-03 05:00'],
    ['resets Mar 5', '2026-03-04 23:00'],
    ['resets on Wednesday at 9am', '2026-03-04 08:00'],
    ['resets Mon 9am (UTC)', '2026-03-09 09:00'],
    ['try again at Mar 9th, 2026 3:05 PM.', '2026-03-09 14:05'],
    ['Your limit will reset at 2026-03-02 18:00:00', '2026-03-02 17:00'],
    ['anthropic-ratelimit-requests-reset: 2026-03-03T05:00:00Z', '2026-03-03 05:00'],
    ['resets at 2026-03-03T05:00:00+02:00', '2026-03-03 03:00'],
    ['Retry-After: Wed, 04 Mar 2026 07:28:00 GMT', '2026-03-04 07:28'],
    ['Claude AI usage limit reached|1772514000', '2026-03-03 05:00'],
    ['"resets_at": 1772514000', '2026-03-03 05:00'],
    ['"resets_at": 1772514000000', '2026-03-03 05:00'],
  ])('given "%s" in Berlin on Monday at 16:00, when it is read, then it is %s UTC', (text, moment) => {
    expect(read(text)).toBe(utc(moment));
  });

  test.each([
    'Your limit will reset later.',
    'Try again in a moment. If it persists, check your gateway',
    'resets 3',
    'resets',
    '',
    'waited 5 minutes for the lock',
    'Limit 30000, Used 28000',
    'try again in 400 days',
    'Type /resets to run or save reusable prompts',
    'resets 25:00',
    'resets 13pm',
  ])('given "%s", when it is read, then it is unknown', (text) => {
    expect(read(text)).toBe('unknown');
  });

  test('given a time that names no zone or an unknown one, when it is read, then it is not certain', () => {
    const certain = ['resets 7pm (UTC)', 'resets 7pm', 'resets 7pm (Mars/Phobos)', 'retrying in 7s'].map((text) => {
      const reset = parseResetTime(text, { now: NOW, zone: BERLIN });
      return reset.kind === 'at' && reset.certain;
    });

    expect(certain).toEqual([true, false, false, true]);
  });

  test('given words that stay on the screen, when their time has just passed, then they do not mean tomorrow', () => {
    const sevenPm = utc('2026-03-02 18:00');

    expect(read('resets 7pm', sevenPm + PASSED_GRACE_MS - 1)).toBe(sevenPm);
    expect(read('resets 7pm', sevenPm + PASSED_GRACE_MS + 1)).toBe(utc('2026-03-03 18:00'));
    expect(read('resets 11:59pm', utc('2026-03-02 23:05'))).toBe(utc('2026-03-02 22:59'));
  });

  test('given a date without a year, when the year turns, then it is the nearest such date', () => {
    expect(read('resets Jan 2 at 5am (UTC)', utc('2026-12-30 12:00'))).toBe(utc('2027-01-02 05:00'));
    expect(read('resets Dec 31 at 11pm (UTC)', utc('2027-01-01 00:10'))).toBe(utc('2026-12-31 23:00'));
  });
});

describe('daylight saving', () => {
  test('given the night when clocks go forward, when 5am is stated the evening before, then it is 5am by the new time', () => {
    expect(read('resets 5am (Europe/Berlin)', utc('2026-03-28 21:00'))).toBe(utc('2026-03-29 03:00'));
  });

  test('given a time that the clocks jump over, when it is stated, then it comes after the jump', () => {
    expect(read('resets 2:30am (Europe/Berlin)', utc('2026-03-28 21:00'))).toBe(utc('2026-03-29 01:30'));
  });

  test('given a time that comes twice, when it is stated, then the later one is taken, so that nobody wakes too early', () => {
    expect(read('resets 2:30am (Europe/Berlin)', utc('2026-10-24 21:00'))).toBe(utc('2026-10-25 01:30'));
  });

  test('given the night when clocks go back in New York, when 5am is stated, then it is 5am by the new time', () => {
    expect(read('resets 5am (America/New_York)', utc('2026-11-01 02:00'))).toBe(utc('2026-11-01 10:00'));
  });

  test('given any moment and zone, when it goes to the wall and back, then it is the same, or an hour later where it comes twice', () => {
    const zone = fc.constantFrom(
      'Europe/Berlin',
      'America/New_York',
      'Australia/Lord_Howe',
      'Asia/Kathmandu',
      'Pacific/Apia',
      'UTC',
    );
    const moment = fc.integer({ min: utc('1990-01-01 00:00') / 1_000, max: utc('2060-01-01 00:00') / 1_000 });
    fc.assert(
      fc.property(zone, moment, (name, seconds) => {
        const wall = wallTimeAt(seconds * 1_000, { name });

        const back = epochOfWall(wall, { name });

        expect(wallTimeAt(back, { name })).toEqual(wall);
        expect([0, 1_800_000, 3_600_000]).toContain(back - seconds * 1_000);
      }),
      { numRuns: 3_000 },
    );
  });
});

describe('calendar and zones', () => {
  test('given dates whose day of the week is known, when it is computed, then it agrees', () => {
    expect([weekdayOf(1970, 1, 1), weekdayOf(2000, 2, 29), weekdayOf(2026, 3, 2), weekdayOf(1969, 12, 31)]).toEqual([
      4, 2, 1, 3,
    ]);
  });

  test.each([
    ['Europe/Berlin', { name: 'Europe/Berlin' }],
    ['(UTC)', { offsetMinutes: 0 }],
    ['UTC+2', { offsetMinutes: 120 }],
    ['GMT-03:30', { offsetMinutes: -210 }],
    ['+0100', { offsetMinutes: 60 }],
    ['PST', { offsetMinutes: -480 }],
    ['PT', { name: 'America/Los_Angeles' }],
    ['CST', null],
    ['IST', null],
    ['Mars/Phobos', null],
    ['UTC+19', null],
    ['constructor', null],
    ['', null],
  ])('given the zone words "%s", when they are read, then the zone is %j', (words, zone) => {
    expect(zoneNamed(words)).toEqual(zone);
  });

  test('given a machine with a wrong zone setting, when it is asked, then UTC stands in', () => {
    expect([zoneOfMachine('Asia/Tokyo'), zoneOfMachine('nowhere')]).toEqual([
      { name: 'Asia/Tokyo' },
      { offsetMinutes: 0 },
    ]);
  });
});

test('given any text at all, when it is read, then nothing is thrown and no time lies further ahead than a month', () => {
  const words = fc.constantFrom(
    'resets',
    ' ',
    'at',
    'in',
    '7',
    'pm',
    '(',
    'Europe/Berlin',
    ')',
    'Mar',
    '3',
    ':',
    '00',
    's',
    'retry-after',
    '|',
    '1772514000',
  );
  const text = fc.oneof(
    fc.string(),
    fc.array(words, { maxLength: 12 }).map((all) => all.join(' ')),
  );
  fc.assert(
    fc.property(text, (said) => {
      const atMs = read(said);

      if (typeof atMs === 'number') expect(atMs - NOW).toBeLessThanOrEqual(SPAN_MS_MAX);
    }),
    { numRuns: 3_000 },
  );
});
