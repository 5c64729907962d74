/** Computes quiet hours by the wall clock of a zone: on the two nights of a year with a clock change they are an hour shorter or longer. */
import { wallTimeAt, weekday } from '../limits/calendar.ts';
import { zoneOfMachine } from '../limits/zones.ts';
import { DAYS } from './policy.ts';
import type { OncallPolicy, QuietHours } from './policy.ts';

const MINUTE_MS = 60_000;
/** Minutes from the begin of a day to its end by the wall. */
const DAY_MINUTES = 1_440;
/** Minutes to look ahead, because the quiet hours of one day and of the next may follow one another without a gap. */
const AHEAD_MAX = 8 * DAY_MINUTES + 120;

/** Tells whether quiet hours hold calls back at this moment, epoch milliseconds. */
export function isQuiet({ quiet, zone }: Pick<OncallPolicy, 'quiet' | 'zone'>, now: number): boolean {
  return quiet !== null && isWithin(quiet, zone, now);
}

/**
 * Returns the first moment from `now` on, epoch milliseconds, that is not quiet: `now` itself if it is not quiet, or if all hours of the week
 * are, because a question must not wait for ever.
 */
export function quietEnd(policy: Pick<OncallPolicy, 'quiet' | 'zone'>, now: number): number {
  if (!isQuiet(policy, now)) return now;
  const minute = Math.floor(now / MINUTE_MS) * MINUTE_MS;
  // A minute is at most an offset away from the end that the wall clock gives, so each is tried.
  for (let ahead = 1; ahead <= AHEAD_MAX; ahead += 1) {
    const at = minute + ahead * MINUTE_MS;
    if (!isQuiet(policy, at)) return at;
  }
  return now;
}

function isWithin({ from, to, days }: QuietHours, zone: string, now: number): boolean {
  const wall = wallTimeAt(now, zoneOfMachine(zone));
  const minute = wall.hour * 60 + wall.minute;
  const today = weekday(wall);
  const begins = (day: number): boolean => days.some((name) => name === DAYS[(day + 7) % 7]);
  if (from < to) return begins(today) && minute >= from && minute < to;
  return (begins(today) && minute >= from) || (begins(today - 1) && minute < to);
}
