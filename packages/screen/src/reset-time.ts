/** When does a limit end, as the screen says it? */

/** Words that tell when something is tried again or a limit ends. */
const RETRIES =
  /\bretry(?:ing)?\s+(?:again\s+)?(?:in|after)\s+(?<when>\d+\s*(?:ms|[smhd]\w*)?(?:\s*\d+\s*[smh]\w*)*)/iu;
const RESETS = /\bresets?\s+(?:at\s+|on\s+)?(?<when>(?:in\s+)?[\w: ,]*\d[\w: ,]*(?:\([\w/+-]+\))?)/u;
const TRY_AGAIN = /\btry again (?:at|in)\s+(?<when>[\w: ,]*\d[\w: ,]*)/iu;

/** The words that tell when, such as `7pm (Europe/Berlin)` or `7s`; null when the text does not say. */
export function resetWords(text: string): string | null {
  for (const pattern of [RETRIES, RESETS, TRY_AGAIN]) {
    const when = pattern.exec(text)?.groups?.['when']?.trim();
    if (when !== undefined && when !== '') return when;
  }
  return null;
}

const MS_PER_MINUTE = 60_000;
const MINUTES_PER_DAY = 1_440;
const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: MS_PER_MINUTE, h: 3_600_000, d: 86_400_000 };
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

const DURATION = /^(?:in\s+)?(?:\d+\s*(?:ms|[smhd])[a-z]*[,\s]*)+$/iu;
const CLOCK =
  /^(?:(?<month>[a-z]{3})[a-z]*\s+(?<day>\d{1,2})(?:,|\s+at|,\s*at)?\s+)?(?<hour>\d{1,2})(?::(?<minute>\d{2}))?\s*(?<half>am|pm)?(?:\s*\((?<zone>[^)]+)\))?$/iu;

/**
 * Turns the words of `resetWords` into a time.
 *
 * @param now Epoch milliseconds.
 * @param zone IANA name of the zone that is meant when the words name none.
 * @returns Epoch milliseconds at or after `now`, to the minute for a time of day; null when the words are not understood.
 */
export function parseReset(words: string, now: number, zone = 'UTC'): number | null {
  const text = words.trim();
  if (DURATION.test(text)) {
    const parts = [...text.matchAll(/(\d+)\s*(ms|[smhd])/giu)];
    return parts.reduce(
      (sum, [, count, unit]) => sum + Number(count) * (UNIT_MS[(unit ?? '').toLowerCase()] ?? 0),
      now,
    );
  }
  const clock = CLOCK.exec(text)?.groups;
  const minutes = clock === undefined ? null : minutesOf(clock);
  const local = localTime(now, clock?.['zone'] ?? zone);
  if (clock === undefined || minutes === null || local === null) return null;
  const days = daysUntil(local, clock);
  const ahead =
    days === null
      ? (minutes - local.minutes + MINUTES_PER_DAY) % MINUTES_PER_DAY
      : days * MINUTES_PER_DAY + minutes - local.minutes;
  if (ahead < 0) return null;
  return now - (now % MS_PER_MINUTE) + ahead * MS_PER_MINUTE;
}

/** Minutes after midnight; null for what is no time of day. */
function minutesOf(clock: Record<string, string | undefined>): number | null {
  const hour = Number(clock['hour']);
  const minute = Number(clock['minute'] ?? 0);
  const half = clock['half']?.toLowerCase();
  if (minute > 59 || hour > 23 || (half !== undefined && (hour < 1 || hour > 12))) return null;
  const hours = half === undefined ? hour : (hour % 12) + (half === 'pm' ? 12 : 0);
  return hours * 60 + minute;
}

interface LocalTime {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly minutes: number;
}

/** What a clock and a calendar in the zone show; null for an unknown zone. */
function localTime(now: number, timeZone: string): LocalTime | null {
  try {
    const format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
    });
    const parts = new Map(format.formatToParts(now).map(({ type, value }) => [type, Number(value)]));
    const part = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0;
    return { year: part('year'), month: part('month'), day: part('day'), minutes: part('hour') * 60 + part('minute') };
  } catch {
    return null;
  }
}

/** Days from the local date to the named one, in this year or the next; null when no date is named. */
function daysUntil(local: LocalTime, clock: Record<string, string | undefined>): number | null {
  const month = MONTHS.indexOf(clock['month']?.toLowerCase() ?? '') + 1;
  if (month === 0) return null;
  const today = dayNumber(local.year, local.month, local.day);
  const thisYear = dayNumber(local.year, month, Number(clock['day'])) - today;
  return thisYear >= 0 ? thisYear : dayNumber(local.year + 1, month, Number(clock['day'])) - today;
}

/** A running number of the day in the Gregorian calendar. Source: Fliegel and Van Flandern, CACM 11 (1968) 657. */
function dayNumber(year: number, month: number, day: number): number {
  const early = Math.trunc((month - 14) / 12);
  const years = Math.trunc((1_461 * (year + 4_800 + early)) / 4);
  const months = Math.trunc((367 * (month - 2 - 12 * early)) / 12);
  const centuries = Math.trunc((3 * Math.trunc((year + 4_900 + early) / 100)) / 4);
  return day - 32_075 + years + months - centuries;
}
