/** Parses a span of time, written as programs write it: `7s`, `1h 23m`, `5 minutes`, `18h15m28s`, `1.5 hours`. */

const UNITS: readonly (readonly [RegExp, number])[] = [
  [/^(?:ms|msecs?|milliseconds?)$/, 1],
  [/^(?:s|secs?|seconds?)$/, 1_000],
  [/^(?:m|mins?|minutes?)$/, 60_000],
  [/^(?:h|hrs?|hours?)$/, 3_600_000],
  [/^(?:d|days?)$/, 86_400_000],
  [/^(?:w|wks?|weeks?)$/, 604_800_000],
];

const UNIT = 'milliseconds?|msecs?|ms|seconds?|secs?|s|minutes?|mins?|m|hours?|hrs?|h|days?|d|weeks?|wks?|w';

/** The source of a pattern for one span, without groups; a unit must end where a word ends or another number begins. */
export const SPAN = String.raw`(?:\d+(?:\.\d+)?|an?)\s*(?:${UNIT})(?=[\d\W_]|$)(?:(?:\s*,\s*|\s+and\s+|\s*)\d+(?:\.\d+)?\s*(?:${UNIT})(?=[\d\W_]|$))*`;

const EACH_PART = new RegExp(String.raw`((?<!\d)\d+(?:\.\d+)?|\ban?\b)\s*(${UNIT})(?=[\d\W_]|$)`, 'g');

/** Longest span that is believed. No limit lasts longer than a month; a larger number is something else. */
export const SPAN_MS_MAX = 31 * 86_400_000;

/** Returns the length of a span in milliseconds, rounded up; null if the text is none, or beyond `SPAN_MS_MAX`. */
export function spanMs(text: string): number | null {
  const parts = [...text.toLowerCase().matchAll(EACH_PART)];
  if (parts.length === 0) return null;
  let sum = 0;
  for (const [, amount, unit] of parts) {
    const factor = UNITS.find(([pattern]) => pattern.test(unit ?? ''))?.[1];
    if (factor === undefined) return null;
    sum += (amount?.startsWith('a') === true ? 1 : Number(amount)) * factor;
  }
  return sum <= SPAN_MS_MAX ? Math.ceil(sum) : null;
}
