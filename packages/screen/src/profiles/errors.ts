/** Recognizes the kind of an error by words on a screen. The programs quote the same services. */
import type { ProfileDocument } from '../profile/schema.ts';

/** The first that matches names the kind. Words from recorded screens of all four programs and the services' documented errors. */
export const COMMON_ERRORS: ProfileDocument['errors'] = [
  {
    id: 'context',
    error: 'context-exhausted',
    matches: '[Cc]ontext (?:limit|window|length)|prompt is too long|maximum context|context_length_exceeded',
  },
  {
    id: 'usage',
    error: 'usage-limit',
    matches:
      '[Uu]sage limit|hit your \\w+ limit|(?:session|weekly|5-hour|daily) limit|[Cc]redit balance|quota|insufficient_quota',
  },
  {
    id: 'auth',
    error: 'auth',
    matches:
      '\\b40[13]\\b|[Uu]nauthori[sz]ed|[Ii]nvalid (?:x-)?[Aa][Pp][Ii][- ][Kk]ey|/login|[Pp]ermission to use|authentication',
  },
  {
    id: 'rate',
    error: 'rate-limit',
    matches: '\\b429\\b|[Rr]ate.?limit|Too Many Requests|[Tt]oo many requests|Server is busy',
  },
  { id: 'overloaded', error: 'overloaded', matches: '\\b529\\b|\\b503\\b|[Oo]verloaded|high demand|at capacity' },
  {
    id: 'network',
    error: 'network',
    matches:
      'ECONN\\w+|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|[Cc]onnection (?:reset|dropped|error|refused|closed)|[Nn]etwork error|[Ss]tream disconnected|Reconnecting|terminated|fetch failed|socket hang up|timed out',
  },
];
