// Finds, in a program's own files, the sentences with which it tells of limits and of errors of its service. Pure.

/** Beginnings of such sentences. A new one that a version brings is seen on screens first, and added here. */
const OPENERS = [
  "You(?:'|’|\\\\u2019)ve (?:hit|reached) your",
  'You have (?:hit|reached|exceeded|exhausted) your',
  "You(?:'|’|\\\\u2019)re out of",
  'Your (?:org|organization|workspace) is out of',
  'Your credit balance',
  "Your group's usage limit",
  '(?:Usage|Rate|Context|Free|Go|Fable|Weekly|Session) limit (?:reached|exceeded)',
  'Limit reached',
  'spend limit reached',
  'Credit balance',
  'Server is temporarily limiting',
  'Selected model is at capacity',
  'Codex is currently experiencing high',
  'We(?: are|’re) currently experiencing high demand',
  'Provider is overloaded',
  'API overloaded',
  'Repeated 529',
  'Quota exceeded',
  'exceeded retry limit',
  'stream disconnected before completion',
  '(?:Could not|could not) process (?:image|PDF|pdf)',
  'prompt is too long',
  'Prompt is too long',
];
const OPENER = new RegExp(`(?<![A-Za-z])(?:${OPENERS.join('|')})`, 'gu');
/** A quote of the language, a bracket, a control character or a byte that is no text ends a sentence; so does a full stop before a blank or a capital. */
const END =
  /["`\p{Cc}\uFFFD\\[\]]|'(?![a-z])|\/i,|\.(?=[\sA-Z]|$)|(?<=[a-z])(?:(?=[A-Z][a-z]+ )|\d*$)|\.(?=[a-z]+ [a-z]+;)/u;
const CHARS_MAX = 160;

/** Returns the sentences in a part of a program, each once. */
export function errorTextsIn(source: string): readonly string[] {
  const found = new Set<string>();
  for (const { index } of source.matchAll(OPENER)) {
    const piece = readable(source.slice(index, index + CHARS_MAX));
    const end = piece.slice(4).search(END);
    const text = (end < 0 ? piece : piece.slice(0, end + 4)).replace(/\$?\{[^}]*\}?/gu, '…').trim();
    if (/\s/u.test(text)) found.add(text.replace(/[\s·:(,.]+$|(?<!\([^)]*)\)$/u, ''));
  }
  return [...found].toSorted();
}

/** Writes escapes of JavaScript as the characters that they stand for. */
function readable(text: string): string {
  return text
    .replaceAll(/\\x([0-9A-Fa-f]{2})/gu, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)))
    .replaceAll(/\\u([0-9A-Fa-f]{4})/gu, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)))
    .replaceAll('’', "'");
}
