/** Holds the rules that recognize network, rate limit, timeout and syntax failures. */

import { HTTP_STATUS } from '../http-status.ts';
import type { FailureClass } from '../failure.ts';

/** A rule: a line that matches `pattern`, and not `unless`, has this class. */
export interface Rule {
  readonly name: string;
  readonly class: Exclude<FailureClass, 'unknown'>;
  readonly pattern: RegExp;
  readonly unless?: RegExp;
}

const NETWORK: readonly Rule[] = [
  {
    name: 'network-errno',
    class: 'network',
    pattern:
      /\b(?:ECONNREFUSED|ENOTFOUND|ETIMEDOUT|ECONNRESET|ECONNABORTED|EAI_AGAIN|ENETUNREACH|EHOSTUNREACH|ENETDOWN)\b/,
  },
  {
    name: 'name-resolution',
    class: 'network',
    pattern:
      /could not resolve (?:host|proxy)|temporary failure (?:in name resolution|resolving)|name or service not known|nodename nor servname|getaddrinfo failed|dns lookup failed|\bno such host\b|failed to lookup address|ERR_NAME_NOT_RESOLVED|\bNXDOMAIN\b/i,
  },
  {
    name: 'connection-lost',
    class: 'network',
    pattern:
      /\bconnection (?:was |has been )?(?:refused|reset|aborted|timed out|closed by (?:remote|foreign)|closed unexpectedly|terminated unexpectedly)\b|\bsocket hang up\b|remote end closed connection|closed the connection unexpectedly|connection broken by/i,
  },
  {
    name: 'unreachable',
    class: 'network',
    pattern:
      /\bno route to host\b|\bnetwork (?:is unreachable|is down|error)\b|couldn't connect to server|failed to connect to \S+ port \d+|\bfetch failed\b|unable to connect to the server: dial tcp/i,
  },
  {
    name: 'network-exception',
    class: 'network',
    pattern:
      /\bConnection(?:Error|RefusedError|ResetError|AbortedError)\b|\bNewConnectionError\b|\bERR_(?:INTERNET_DISCONNECTED|CONNECTION_[A-Z]+|NETWORK_CHANGED)\b|TLS handshake (?:timeout|failed)|\bSSL_ERROR_SYSCALL\b/,
  },
];

const RATE_LIMIT: readonly Rule[] = [
  {
    name: 'rate-limit-words',
    class: 'rate_limit',
    pattern:
      /\brate[ -]?limit(?:s|ed|ing)?\b(?:[ :]\S+){0,3} (?:exceeded|reached|hit)\b|\b(?:exceed(?:ed|s)?|hit|reached)(?: \S+){0,4} rate[ -]limit\b|\brate[ -]limited\b|\brate exceeded\b|\bpull rate limit\b|\bsecondary rate limit\b/i,
  },
  {
    name: 'rate-limit-name',
    class: 'rate_limit',
    pattern:
      /\bRateLimit(?:Error|Exceeded|ExceededError)\b|\brate_limit_(?:error|exceeded)\b|\btoomanyrequests\b|\bThrottlingException\b|\binsufficient_quota\b/,
  },
  {
    name: 'too-many-requests',
    class: 'rate_limit',
    pattern:
      /\btoo many requests\b|\brequest(?:s)? (?:was|were|has been|is being) throttled\b|\b(?:usage|request) limit (?:reached|exceeded)\b/i,
  },
  {
    name: 'quota',
    class: 'rate_limit',
    pattern: /(?<!\bdisk )\bquota exceeded\b|exceeded your (?:current |monthly |daily )?quota/i,
  },
  { name: 'http-429', class: 'rate_limit', pattern: HTTP_STATUS.limited },
];

const TIMEOUT: readonly Rule[] = [
  {
    name: 'timed-out',
    class: 'timeout',
    pattern: /\btimed[ -]out\b|\bdeadline exceeded\b|\bDEADLINE_EXCEEDED\b|\btime limit exceeded\b/i,
    unless: /\b0 timed out\b|gateway|upstream/i,
  },
  {
    name: 'timeout-name',
    class: 'timeout',
    pattern:
      /\bESOCKETTIMEDOUT\b|\b(?:Read|Connect|Write|Pool)?Timeout(?:Error|Exception|Expired)\b|\b(?:Read|Connect)Timeout\b|\bERR_SOCKET_TIMEOUT\b/,
  },
  {
    name: 'timeout-words',
    class: 'timeout',
    pattern:
      /\btimeout (?:of \d+ ?m?s|exceeded|expired|reached|after \d|waiting for)\b|\b(?:request|connection|read|operation|statement|navigation|lock wait) timeout\b|\bexceeded (?:the )?(?:\w+ )?timeout\b|\bClient\.Timeout exceeded\b/i,
    unless: /gateway|upstream/i,
  },
];

const SYNTAX: readonly Rule[] = [
  {
    name: 'syntax-exception',
    class: 'syntax',
    pattern:
      /\b(?:SyntaxError|IndentationError|TabError|ParseError|ParserError|ScannerError|YAMLException|JSONDecodeError|TOMLDecodeError|EJSONPARSE)\b/,
    unless: /Unexpected token '?<|is not valid JSON.{0,200}<!?(?:doctype|html)/i,
  },
  {
    name: 'syntax-words',
    class: 'syntax',
    pattern:
      /\bsyntax error\b|\binvalid syntax\b|\bparse error\b|\berror in your SQL syntax\b|\bunexpected (?:token|end of (?:input|file|JSON input)|EOF while)|\bunterminated (?:string|template|regular expression)\b|\bcould not (?:compile|parse)\b/i,
    unless: /Unexpected token '?<|could not compile .{0,100} due to .{0,200}(?:network|timeout)/i,
  },
  {
    name: 'config-syntax',
    class: 'syntax',
    pattern:
      /\byaml: line \d+|\berror (?:parsing|converting) YAML\b|\bTOML parse error\b|\bis not valid JSON\b|in JSON at position \d+|\bdockerfile parse error\b|✘ \[ERROR\]|\bTransform failed with \d+ error/i,
    unless: /<!?(?:doctype|html)/i,
  },
];

/** Rules by class, the first four classes. permission-and-validation.ts has the others. */
export const FIRST_RULES: readonly Rule[] = [...NETWORK, ...RATE_LIMIT, ...TIMEOUT, ...SYNTAX];
