/** By which forms is a secret known without being configured? Known forms only: words are not guessed at. */
import type { Range } from './ranges.ts';

/** A form of secrets. The first group, where there is one, is kept; all else that matches goes. */
export interface Form {
  /** A text without any of these words holds none. Searched first, for that takes no time. */
  readonly marks: readonly string[];
  readonly pattern: RegExp;
  /** Whether the marks, which are in lower case then, mean both cases. */
  readonly anyCase?: boolean;
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
  { marks: ['eyJ'], pattern: /\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]{8,}/g },
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
  // One whose beginning was cut away.
  {
    marks: ['PRIVATE KEY-----'],
    pattern: /^[ \t]*(?:[\w+/=]{16,}[ \t]*\r?\n[ \t]*){0,400}[\w+/=]*\s{0,9}-----END (?:[A-Z0-9]+ )*PRIVATE KEY-----/gm,
  },
];

/** Adds the places of a text that have one of the forms. */
export function addForms(text: string, forms: readonly Form[], found: Range[]): void {
  let lower: string | undefined;
  for (const { marks, pattern, anyCase = false } of forms) {
    const searched = anyCase ? (lower ??= text.toLowerCase()) : text;
    if (!marks.some((mark) => searched.includes(mark))) continue;
    for (const match of text.matchAll(pattern)) {
      const kept = match[1]?.length ?? 0;
      if (match[0].length > kept) found.push([match.index + kept, match.index + match[0].length]);
    }
  }
}
