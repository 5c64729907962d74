/** Finds the moment of a date and time of day in a time zone. Calendar arithmetic without a clock. */

/** A date and time of day as a wall shows it, without a zone. `month` counts from 1. */
export interface WallTime {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
}

/** A time zone: an IANA name such as `Europe/Berlin`, or a fixed offset east of UTC in minutes. */
export type Zone = { readonly name: string } | { readonly offsetMinutes: number };

/** Coordinated universal time. */
export const UTC: Zone = { offsetMinutes: 0 };

const DAY_MS = 86_400_000;

/** Days from 1970-01-01 to a date of the Gregorian calendar. Source: Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms". */
export function daysFromCivil(year: number, month: number, day: number): number {
  const y = month <= 2 ? year - 1 : year;
  const era = Math.floor(y / 400);
  const yearOfEra = y - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
}

/** Returns the epoch milliseconds of a wall time if the wall hung in UTC. Hours and days may overflow: day 32 is the 1st. */
export function epochInUtc({ year, month, day, hour, minute, second }: WallTime): number {
  return daysFromCivil(year, month, day) * DAY_MS + ((hour * 60 + minute) * 60 + second) * 1_000;
}

/** Returns the day of the week of an epoch day: 0 is Sunday. 1970-01-01 was a Thursday. */
export function weekday({ year, month, day }: WallTime): number {
  return (((daysFromCivil(year, month, day) + 4) % 7) + 7) % 7;
}

/** Tells whether the zone name is known here. */
export function isZoneName(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** Returns the wall time at a moment. @throws {RangeError} if the zone name is not known. */
export function wallTimeAt(epochMs: number, zone: Zone): WallTime {
  if ('offsetMinutes' in zone) return wallInUtc(epochMs + zone.offsetMinutes * 60_000);
  const parts = new Map<string, number>();
  for (const { type, value } of formatter(zone.name).formatToParts(epochMs)) parts.set(type, Number(value));
  const at = (type: string): number => parts.get(type) ?? 0;
  return {
    year: at('year'),
    month: at('month'),
    day: at('day'),
    hour: at('hour'),
    minute: at('minute'),
    second: at('second'),
  };
}

/**
 * Returns the moment at which the wall shows this time. Twice a year there is not exactly one moment: a time that the clocks jump over becomes
 * the same distance after the jump; of a time that comes twice the later is taken, so that no worker wakes before the limit is over.
 */
export function epochOfWall(wall: WallTime, zone: Zone): number {
  const asUtc = epochInUtc(wall);
  if ('offsetMinutes' in zone) return asUtc - zone.offsetMinutes * 60_000;
  // No zone changes its clock twice within a day, so the offsets a day before and after are all there are.
  const before = offsetAt(asUtc - DAY_MS, zone);
  const after = offsetAt(asUtc + DAY_MS, zone);
  const candidates = [asUtc - before, asUtc - after].filter((epochMs) => epochMs + offsetAt(epochMs, zone) === asUtc);
  return candidates.length > 0 ? Math.max(...candidates) : asUtc - before;
}

function offsetAt(epochMs: number, zone: Zone): number {
  const wholeSeconds = Math.floor(epochMs / 1_000) * 1_000;
  return epochInUtc(wallTimeAt(wholeSeconds, zone)) - wholeSeconds;
}

function wallInUtc(epochMs: number): WallTime {
  return wallTimeAt(epochMs, { name: 'UTC' });
}

/** Building a formatter costs about 50 µs, and few zones are in use; the map cannot grow beyond the zones that exist. */
const formatters = new Map<string, Intl.DateTimeFormat>();

function formatter(timeZone: string): Intl.DateTimeFormat {
  const known = formatters.get(timeZone);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  formatters.set(timeZone, made);
  return made;
}
