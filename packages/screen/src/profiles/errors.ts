/** Recognizes the kind of an error by words on a screen. The programs quote the same services. */
import type { ProfileDocument } from '../profile/schema.ts';

/**
 * The first that matches names the kind. Words from recorded screens of all four programs, the services' documented errors, and the texts in the
 * programs themselves (`npm run agents:texts`).
 */
export const COMMON_ERRORS: ProfileDocument['errors'] = [
  // Limits of the service that are none of the account.
  {
    id: 'rate-of-service',
    error: 'rate-limit',
    matches: 'not your usage limit|temporarily limiting requests',
  },
  {
    id: 'context',
    error: 'context-exhausted',
    matches: '[Cc]ontext (?:limit|window|length)|[Pp]rompt is too long|maximum context|context_length_exceeded',
  },
  // The service refuses a message that the conversation holds.
  {
    id: 'history',
    error: 'history-refused',
    matches:
      '[Cc]ould not process (?:the )?(?:image|PDF|pdf)|\\b(?:messages|input|contents)[.[]\\d+|tool_use.{1,60}without.{1,60}tool_result|unexpected .?tool_use_id|No tool (?:output|call) found for function call|image (?:dimensions )?exceeds?',
  },
  {
    id: 'usage',
    error: 'usage-limit',
    matches:
      '[Uu]sage [Ll]imit|(?:hit|reached) your\\b(?! rate)|[Oo]ut of (?:extra )?(?:usage|credits)|(?:session|weekly|5-hour|daily|spend|budget) limit|(?<![Rr]ate )[Ll]imit reached|continu(?:e|ing) automatically at|[Cc]redit balance|[Qq]uota',
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
    matches: '\\b429\\b|[Rr]ate.?limit|[Tt]oo [Mm]any [Rr]equests|Server is busy',
  },
  {
    id: 'overloaded',
    error: 'overloaded',
    matches: '\\b529\\b|\\b503\\b|[Oo]verloaded|high (?:demand|load)|at capacity|exceeded retry limit',
  },
  {
    id: 'network',
    error: 'network',
    matches:
      'ECONN\\w+|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|[Cc]onnection (?:reset|dropped|error|refused|closed)|[Nn]etwork error|[Ss]tream disconnected|Reconnecting|terminated|fetch failed|socket hang up|timed out',
  },
];
