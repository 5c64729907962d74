/** Finds the date and time of day that words such as `Mar 3 at 5am (Europe/Berlin)` mean, as seen from now. */

import { epochOfWall, wallTimeAt, weekday, type WallTime, type Zone } from './calendar.ts';
import { zoneNamed } from './zones.ts';

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

const MONTH = String.raw`(?<month>jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*\.?`;
const DAY = String.raw`(?<day>[0-3]?\d)(?:st|nd|rd|th)?`;
const YEAR = String.raw`(?:,?\s{1,3}(?<year>20\d\d))?`;
const TIME = String.raw`(?<hour>2[0-3]|[01]?\d)(?:[:.](?<minute>[0-5]\d))?(?::(?<second>[0-5]\d))?(?:\s{0,3}(?<half>[ap])\.?m\b\.?)?`;
const NOON = String.raw`(?<noon>noon|midnight)`;
const ZONE = String.raw`(?:\s{0,3}\(?(?<zone>(?:UTC|GMT)\s?[+−-]\d{1,2}(?::?\d\d)?|[A-Z][A-Za-z_]+(?:\/[A-Za-z0-9_+-]+)+|[+-]\d\d:?\d\d|[A-Z]{2,4}(?![a-z]))\)?)?`;
const AT = String.raw`(?:\s{0,3},?\s{0,3}(?:at|@)?\s{0,3})`;

/** Each way to write a date before a time. The order matters: the more complete shapes come first. */
const SHAPES: readonly RegExp[] = [
  String.raw`${MONTH}\s{1,3}${DAY}${YEAR}${AT}(?:${TIME}|${NOON})${ZONE}`,
  String.raw`${DAY}\s{1,3}${MONTH}${YEAR}${AT}(?:${TIME}|${NOON})${ZONE}`,
  String.raw`(?:on\s{1,3})?(?<weekday>sun|mon|tue|wed|thu|fri|sat)[a-z]*${AT}(?:${TIME}|${NOON})${ZONE}`,
  String.raw`(?<tomorrow>tomorrow)${AT}(?:${TIME}|${NOON})${ZONE}`,
  String.raw`(?:today)?${AT}(?:${TIME}|${NOON})${ZONE}(?:\s{1,3}(?<tomorrow>tomorrow))?`,
].map((shape) => new RegExp(String.raw`^\s{0,3}(?:on\s{1,3}|at\s{1,3})?${shape}`, 'i'));

/** A date without a time of day: midnight at its start. */
const DATE_ONLY = new RegExp(
  String.raw`^\s{0,3}(?:on\s{1,3})?${MONTH}\s{1,3}${DAY}${YEAR}(?!\s{0,3}[:\d])${ZONE}`,
  'i',
);

/**
 * Milliseconds after its moment during which a time of day still means today. An agent goes on showing `resets 7pm` after seven: reading it as
 * tomorrow would cost a day, reading it as today costs one probe.
 */
export const PASSED_GRACE_MS = 3_600_000;

/** A date or time of day that was read. */
export interface ClockWords {
  readonly atMs: number;
  /** True if the words named their zone; otherwise the machine's zone was assumed. */
  readonly zoneNamed: boolean;
  /** Number of characters that belong to the time. */
  readonly length: number;
}

/**
 * Reads a date or time of day at the start of the text.
 * @param zone The zone for words that name none.
 * @returns null if the text does not start with a time. A bare number is no time: `5` may be anything.
 */
export function clockWords(text: string, { now, zone }: { now: number; zone: Zone }): ClockWords | null {
  for (const shape of [...SHAPES, DATE_ONLY]) {
    const found = shape.exec(text);
    if (found === null) continue;
    const words = found.groups ?? {};
    const named = words['zone'] === undefined ? null : zoneNamed(words['zone'].replace(/\s/g, ''));
    const atMs = momentOf(words, { now, zone: named ?? zone });
    if (atMs !== null) return { atMs, zoneNamed: named !== null, length: found[0].length };
  }
  return null;
}

type Groups = Readonly<Record<string, string | undefined>>;

function momentOf(words: Groups, { now, zone }: { now: number; zone: Zone }): number | null {
  const time = timeOfDay(words);
  if (time === null) return null;
  const today = wallTimeAt(now, zone);
  const on = (date: Partial<WallTime>): number => epochOfWall({ ...today, ...time, ...date }, zone);

  const month = words['month'] === undefined ? -1 : MONTHS.indexOf(words['month'].slice(0, 3).toLowerCase());
  if (month >= 0) return onDate({ words, month: month + 1, today, now, on });
  if (words['tomorrow'] !== undefined) return on({ day: today.day + 1 });
  if (words['weekday'] !== undefined) {
    const ahead = (WEEKDAYS.indexOf(words['weekday'].toLowerCase()) - weekday(today) + 7) % 7;
    const first = on({ day: today.day + ahead });
    return first >= now - PASSED_GRACE_MS ? first : on({ day: today.day + ahead + 7 });
  }
  // Just after midnight, "11pm" may be the 11pm that has just passed.
  return [-1, 0, 1].map((days) => on({ day: today.day + days })).find((atMs) => atMs >= now - PASSED_GRACE_MS) ?? null;
}

interface DateQuestion {
  readonly words: Groups;
  readonly month: number;
  readonly today: WallTime;
  readonly now: number;
  readonly on: (date: Partial<WallTime>) => number;
}

/** Returns the date without a year that is nearest to now: in December `Jan 2` is next year's, in January `Dec 31` the last. */
function onDate({ words, month, today, now, on }: DateQuestion): number | null {
  const day = Number(words['day']);
  if (day < 1 || day > 31) return null;
  if (words['year'] !== undefined) return on({ year: Number(words['year']), month, day });
  const years = [today.year - 1, today.year, today.year + 1].map((year) => on({ year, month, day }));
  return years.toSorted((a, b) => Math.abs(a - now) - Math.abs(b - now))[0] ?? null;
}

function timeOfDay(words: Groups): Pick<WallTime, 'hour' | 'minute' | 'second'> | null {
  if (words['noon'] !== undefined) return { hour: /noon/i.test(words['noon']) ? 12 : 0, minute: 0, second: 0 };
  const dated = words['month'] !== undefined;
  if (words['hour'] === undefined) return dated ? { hour: 0, minute: 0, second: 0 } : null;
  const half = words['half']?.toLowerCase();
  const hour = Number(words['hour']);
  if (half === undefined && words['minute'] === undefined) return null;
  if (half !== undefined && (hour < 1 || hour > 12)) return null;
  return {
    hour: half === undefined ? hour : (hour % 12) + (half === 'p' ? 12 : 0),
    minute: Number(words['minute'] ?? 0),
    second: Number(words['second'] ?? 0),
  };
}
