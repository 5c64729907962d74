/** Tells whether a number on a line is the status of an HTTP answer. `403` as a line number, a port or a test count is not. */

/** Words before a number that make it a status. `exit code 500` and `exit status 403` are none. */
const BEFORE = [
  String.raw`\bHTTP(?:/\d(?:\.\d)?)?(?:[ :]{1,2}(?:error|status|response|code)){0,3}[ :=(]{1,3}`,
  String.raw`(?<!exit[ -])\bstatus(?:[ _-]?code)?"?(?: (?:of|was|is))?\s{0,3}[:=]?\s{0,3}"?`,
  String.raw`\breturned (?:an? )?(?:HTTP )?(?:error|status|response)(?: code)?:? `,
  String.raw`\bresponded with (?:an? )?(?:error |status )?(?:code )?(?:of )?`,
  String.raw`\b(?:API|server|request|response|client|upload|download) error:?[ (]+`,
  String.raw`(?<!exit )\berror code:? `,
  String.raw`\bnpm (?:ERR!|error)(?: code)? E?`,
  String.raw`\bHTTPError: `,
  String.raw`\b[Uu]nexpected (?:server )?(?:response|status)(?: code)?:? `,
  String.raw`\b(?:request|call|fetch|upload|push|query) (?:was )?(?:rejected|failed|denied) \(`,
];

/** Words behind a number that make it a status: its standard phrase, or the clients' name for it (RFC 9110, 15). */
const AFTER = [
  'Bad Request',
  'Unauthorized',
  'Forbidden',
  'Proxy Authentication Required',
  'Unprocessable',
  'Too Many Requests',
  'Internal Server Error',
  'Not Implemented',
  'Bad Gateway',
  String.raw`Service (?:Temporarily )?Unavailable`,
  String.raw`Gateway Time-?out`,
  'Client Error',
  'Server Error',
  String.raw`error responses`,
];

/** Statuses by meaning. */
export const HTTP_STATUS = {
  limited: httpStatus('429'),
  denied: httpStatus('401|403|407'),
  rejected: httpStatus('400|422'),
  serverError: httpStatus('50[0234]|52[0-79]'),
} as const;

/**
 * Returns a pattern for some statuses if they stand as whole words near HTTP-like context.
 * @param statuses Alternatives for a regular expression, such as `401|403`.
 */
function httpStatus(statuses: string): RegExp {
  const number = String.raw`(?:${statuses})(?![\w.-]*\w)`;
  const phrase = String.raw`(?<![\w.:-])(?:${statuses})[ :-]+(?:${AFTER.join('|')})\b`;
  return new RegExp(String.raw`(?:${BEFORE.join('|')})${number}|${phrase}`, 'i');
}
