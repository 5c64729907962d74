/** Parses the end of a limit from the words that a program shows. */

import { epochInUtc, type Zone } from './calendar.ts';
import { clockWords } from './clock-words.ts';
import { SPAN, SPAN_MS_MAX, spanMs } from './spans.ts';

/** The answer; `unknown` is honest and common (`Your limit will reset later`). */
export type ResetTime =
  | {
      readonly kind: 'at';
      /** Epoch milliseconds. A moment in the past means that the words are old and a probe is in order. */
      readonly atMs: number;
      /** True if the words left no doubt about the zone; otherwise the machine's own zone was assumed. */
      readonly certain: boolean;
      /** The words that were understood, for explanations. */
      readonly words: string;
    }
  | { readonly kind: 'unknown' };

/** Context that a time on a screen is relative to. */
export interface ResetOptions {
  readonly now: number;
  /** The zone of the machine on which the program runs, for times that name none. */
  readonly zone: Zone;
}

/** Words after which a span or a moment is the end of a limit. */
const LEAD = String.raw`(?:re-?sets?|retry(?:ing)?|try(?:ing)? again|re-?try again|available again|back|please wait|wait(?:ing)?|continue|come back|renews?|refresh(?:es)?|expires?|until)`;

const ISO = String.raw`(20\d\d)-(\d\d)-(\d\d)[T ](\d\d):(\d\d)(?::(\d\d)(?:\.\d+)?)?\s?(Z|UTC|GMT|[+-]\d\d:?\d\d)?`;
const ISO_MOMENT = new RegExp(String.raw`(?:${LEAD}|retry-after|reset)\b[^.;]{0,40}?${ISO}`, 'i');
const SPAN_LEAD = String.raw`(?:\b${LEAD}\b[^.;|\d]{0,30}?|retry[-_ ]?(?:delay|after)"?\s?[:=]?\s?"?|reset[\w-]{0,40}\s?[:=]\s?)`;
const SPAN_AFTER_LEAD = new RegExp(String.raw`${SPAN_LEAD}(?<![\d.:])(${SPAN})(?!\s*ago)`, 'i');
const EACH_LEAD = new RegExp(String.raw`\b${LEAD}\b:?(?:\s(?:after|at|on|until|by|from|your limit|in))?`, 'gi');

/** Characters of a text that are read, from its end: the last words about a limit are the valid ones. */
const TEXT_CHARS_MAX = 20_000;

/** A reader finds one way of writing in the text. The order is from precise to vague. */
type Reader = (text: string, options: ResetOptions) => ResetTime | null;

const READERS: readonly Reader[] = [isoMoment, httpDate, epochNumber, headerSeconds, spanAfterLead, momentAfterLead];

/**
 * Reads the end of a rate or usage limit: `resets 7pm (Europe/Berlin)`, `resets Mar 3 at 5am`, `retrying in 7s`,
 * `Try again in 5 minutes`, `Retry-After: 120` or with an HTTP date, `reset after 18h15m28s`, `"retryDelay": "34s"`.
 */
export function parseResetTime(text: string, options: ResetOptions): ResetTime {
  const line = plain(text.slice(-TEXT_CHARS_MAX));
  for (const read of READERS) {
    const found = read(line, options);
    if (found?.kind === 'at' && found.atMs - options.now <= SPAN_MS_MAX) return found;
  }
  return { kind: 'unknown' };
}

/** Flattens the text as terminals wrap it: colors go, all white space becomes one blank. */
function plain(text: string): string {
  // eslint-disable-next-line no-control-regex -- colours are control characters
  return text.replace(/\u001b\[[0-9;]*[A-Za-z]/g, '').replace(/[\s\u00a0\u202f│]+/g, ' ');
}

/** Reads `2026-03-03T05:00:00Z`, with or without seconds and offset, if words or a header say that it is the end. */
function isoMoment(text: string, { zone }: ResetOptions): ResetTime | null {
  const found = ISO_MOMENT.exec(text);
  if (found === null) return null;
  const [words, year, month, day, hour, minute, second, offset] = found;
  const wall = {
    year: Number(year),
    month: Number(month),
    day: Number(day),
    hour: Number(hour),
    minute: Number(minute),
    second: Number(second ?? 0),
  };
  if (offset === undefined) {
    const there = clockWords(`${monthName(wall.month)} ${wall.day}, ${wall.year} ${hour}:${minute}:${second ?? '00'}`, {
      now: 0,
      zone,
    });
    return there === null ? null : { kind: 'at', atMs: there.atMs, certain: false, words };
  }
  return { kind: 'at', atMs: epochInUtc(wall) - offsetMs(offset), certain: true, words };
}

function offsetMs(offset: string): number {
  const found = /([+-])(\d\d):?(\d\d)/.exec(offset);
  if (found === null) return 0;
  return (found[1] === '-' ? -1 : 1) * (Number(found[2]) * 60 + Number(found[3])) * 60_000;
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

function monthName(month: number): string {
  return MONTHS[month - 1] ?? 'Jan';
}

/** Reads `Retry-After: Wed, 21 Oct 2026 07:28:00 GMT` (RFC 9110, 5.6.7). */
function httpDate(text: string): ResetTime | null {
  const found = /(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), (\d\d) ([A-Z][a-z]{2}) (\d{4}) (\d\d):(\d\d):(\d\d) GMT/.exec(text);
  if (found === null) return null;
  const [words, day, month, year, hour, minute, second] = found;
  const wall = {
    year: Number(year),
    month: MONTHS.indexOf(month ?? '') + 1,
    day: Number(day),
    hour: Number(hour),
    minute: Number(minute),
    second: Number(second),
  };
  return wall.month === 0 ? null : { kind: 'at', atMs: epochInUtc(wall), certain: true, words };
}

/** Reads `usage limit reached|1772514000`, `"resets_at": 1772514000`: seconds or milliseconds since 1970 in this century. */
function epochNumber(text: string): ResetTime | null {
  const found =
    /(?:limit reached\||resets?_?(?:at)?"?\s*[:=]\s*"?)(1[6-9]\d{8}|[23]\d{9}|1[6-9]\d{11}|[23]\d{12})\b/i.exec(text);
  if (found === null) return null;
  const number = Number(found[1]);
  return { kind: 'at', atMs: number < 1e11 ? number * 1_000 : number, certain: true, words: found[0] };
}

/** Reads `Retry-After: 120`, `"retry_after": 1.5`, `resets_in_seconds: 90`, `retry-after-ms: 800`: a bare number with a unit in its name. */
function headerSeconds(text: string, { now }: ResetOptions): ResetTime | null {
  const found =
    /\b(?:retry[-_ ]?after(?:[-_](ms|milliseconds))?|resets?_(?:in|after)_seconds|retry_in_seconds)"?'?\s?[:=]?\s?"?(\d+(?:\.\d+)?)(?![\d.]*\s?[a-z:/]|[\d.]*-\d)/i.exec(
      text,
    );
  if (found === null) return null;
  const waitMs = Math.ceil(Number(found[2]) * (found[1] === undefined ? 1_000 : 1));
  return { kind: 'at', atMs: now + waitMs, certain: true, words: found[0] };
}

/** Reads `retrying in 7s`, `Try again in 5 minutes`, `reset after 18h15m28s`, `"retryDelay": "34s"`, `wait 20 seconds`. */
function spanAfterLead(text: string, { now }: ResetOptions): ResetTime | null {
  const found = SPAN_AFTER_LEAD.exec(text);
  const waitMs = found === null ? null : spanMs(found[1] ?? '');
  return found === null || waitMs === null ? null : { kind: 'at', atMs: now + waitMs, certain: true, words: found[0] };
}

/** Reads `resets 7pm (Europe/Berlin)`, `try again at Nov 24th, 2026 3:05 PM`, `available again on Monday at 9am`. */
function momentAfterLead(text: string, options: ResetOptions): ResetTime | null {
  for (const lead of text.matchAll(EACH_LEAD)) {
    const rest = text.slice(lead.index + lead[0].length);
    const found = clockWords(rest, options);
    if (found !== null) {
      const words = (lead[0] + rest.slice(0, found.length)).trim();
      return { kind: 'at', atMs: found.atMs, certain: found.zoneNamed, words };
    }
  }
  return null;
}
