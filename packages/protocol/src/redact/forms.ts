/** Recognizes secrets that are not configured, by their forms. Known forms only: words are not guessed at. */
import type { Range } from './ranges.ts';

/** A form of secrets. The first group, where there is one, is kept; all else that matches goes. */
export interface Form {
  /** A text without any of these words holds none. Searched first, for that takes no time. */
  readonly marks: readonly string[];
  readonly pattern: RegExp;
}

/** Sources: the token formats that the services document; the project's own tokens (`drv_`). */
export const FORMS: readonly Form[] = [
  { marks: ['sk-'], pattern: /\bsk-[\w-]{16,}/g }, // Anthropic sk-ant-, OpenAI sk-proj-, sk-svcacct- and the like
  { marks: ['drv_'], pattern: /\bdrv_[\w.~+/-]{16,}/g },
  { marks: ['drover-join.'], pattern: /\bdrover-join\.[\w.-]{16,}/g },
  { marks: ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'], pattern: /\bgh[pousr]_[\w.-]{20,}/g },
  { marks: ['github_pat_'], pattern: /\bgithub_pat_\w{20,}/g },
  { marks: ['gl'], pattern: /\bgl(?:pat|dt|rt|rtr|cbt|ptt|ft|imt|agent|oas|soat|ffct|wt)-[\w.-]{16,}/g },
  { marks: ['npm_'], pattern: /\bnpm_[A-Za-z0-9]{30,}/g },
  { marks: ['pypi-'], pattern: /\bpypi-[\w-]{30,}/g },
  { marks: ['xox', 'xapp-'], pattern: /\bx(?:ox[a-z]|app)-[A-Za-z0-9.-]{10,}/g },
  { marks: ['hooks.slack.com/'], pattern: /(hooks\.slack\.com\/[a-z]+\/)[\w/]{20,}/g },
  { marks: ['AIza'], pattern: /\bAIza[\w-]{30,}/g },
  { marks: ['GOCSPX-'], pattern: /\bGOCSPX-[\w-]{20,}/g },
  { marks: ['ya29.'], pattern: /\bya29\.[\w.-]{20,}/g },
  { marks: ['AKIA', 'ASIA'], pattern: /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g },
  // Session tokens of AWS are base64 of bytes that begin alike.
  { marks: ['IQoJb3JpZ2lu', 'FwoGZXIvYXdz'], pattern: /\b(?:IQoJb3JpZ2lu|FwoGZXIvYXdz)[\w+/=%-]{40,}/g },
  {
    marks: ['aws_secret', 'AWS_SECRET', 'aws_session', 'AWS_SESSION', 'SecretAccessKey', 'SessionToken'],
    pattern:
      /((?:aws_secret_access_key|aws_session_token|SecretAccessKey|SessionToken)\\*["']?\s*[=:]\s*)\\*["']?[\w/+=%-]{30,}\\*["']?/gi,
  },
  { marks: ['_live_', '_test_', 'whsec_'], pattern: /\b(?:[srp]k_(?:live|test)_|whsec_)[A-Za-z0-9+/=]{16,}/g },
  { marks: ['hf_'], pattern: /\bhf_[A-Za-z0-9]{30,}/g },
  { marks: ['SG.'], pattern: /\bSG\.[\w-]{16,}\.[\w-]{16,}/g },
  { marks: ['hvs.', 'hvb.'], pattern: /\bhv[sb]\.[\w-]{20,}/g },
  { marks: ['dop_v1_', 'doo_v1_', 'dor_v1_'], pattern: /\bdo[opr]_v1_[a-f0-9]{40,}/g },
  { marks: ['dckr_pat_'], pattern: /\bdckr_pat_[\w-]{20,}/g },
  { marks: ['AccountKey='], pattern: /(\bAccountKey=)[\w+/=]{20,}/g },
  { marks: ['AGE-SECRET-KEY-'], pattern: /\bAGE-SECRET-KEY-1[A-Z0-9]{20,}/g },
  { marks: ['earer', 'EARER'], pattern: /\b(Bearer\s+)[\w.~+/-]{16,}=*/gi },
  { marks: ['asic ', 'ASIC '], pattern: /(\bAuthorization\\*["']?:\s*\\*["']?Basic\s+)[\w+/=-]{8,}/gi },
  { marks: ['://'], pattern: /(:\/\/[^\s/:@"'<>]*:)[^\s/"'<>]{3,}(?=@)/g },
  {
    marks: ['token=', 'key=', 'password=', 'secret=', 'sig=', 'signature='],
    pattern: /([?&](?:access_token|token|api_?key|key|password|secret|client_secret|sig|signature)=)[^\s&"'<>]{8,}/g,
  },
  {
    marks: ['-----BEGIN'],
    pattern:
      /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----|$)/g,
  },
];

/** Adds the places of a text that have one of the forms. */
export function addForms(text: string, found: Range[]): void {
  for (const { marks, pattern } of FORMS) {
    if (!marks.some((mark) => text.includes(mark))) continue;
    for (const match of text.matchAll(pattern)) {
      const kept = match[1]?.length ?? 0;
      if (match[0].length > kept) found.push([match.index + kept, match.index + match[0].length]);
    }
  }
  if (text.includes('eyJ')) addWebTokens(text, found);
  if (text.includes('PRIVATE KEY-----')) addEndsOfKeys(text, found);
}

/** JSON web tokens. A word without the two other parts matches as well and is passed over, so that it is read once. */
function addWebTokens(text: string, found: Range[]): void {
  for (const match of text.matchAll(/\beyJ[\w-]{8,}(\.[\w-]{8,}\.[\w-]{8,})?/g)) {
    if (match[1] !== undefined) found.push([match.index, match.index + match[0].length]);
  }
}

/** Letters of a line of a key, at least; its last line may be shorter. */
const KEY_LINE_MIN = 16;

/** Private keys whose beginning was cut away: from each end mark back over lines of base64, but not over the mark before it. */
function addEndsOfKeys(text: string, found: Range[]): void {
  let over = 0;
  for (const match of text.matchAll(/-----END (?:[A-Z0-9]+ )*PRIVATE KEY-----/g)) {
    const to = match.index + match[0].length;
    const from = startOfKey(text, { mark: match.index, over });
    if (from !== null) found.push([from, to]);
    over = to;
  }
}

function startOfKey(text: string, { mark, over }: { mark: number; over: number }): number | null {
  const back = (at: number, chars: RegExp): number => {
    let from = at;
    while (from > over && chars.test(text.charAt(from - 1))) from -= 1;
    return from;
  };
  const isStart = (at: number): boolean => at === 0 || /[\n\r\u2028\u2029]/.test(text.charAt(at - 1));
  let start = back(mark, /[^\S\n\r\u2028\u2029]/);
  let found = isStart(start) ? start : null;
  for (let [at, lettersMin] = [back(mark, /\s/), 0]; ; lettersMin = KEY_LINE_MIN) {
    const letters = back(at, /[\w+/=]/);
    start = back(letters, /[ \t]/);
    if (at - letters < lettersMin || !isStart(start)) return found;
    found = start;
    if (start <= over) return found;
    at = back(back(start - 1, /\r/), /[ \t]/);
  }
}
