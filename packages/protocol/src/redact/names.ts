/**
 * Names that mean that their value is a secret, and the values behind them in a text. A name is sought to the left of each `=` and `:`,
 * so no character is read twice: the time grows with the length of the text alone.
 */
import type { Range } from './ranges.ts';

/** Endings of variables that hold secrets everywhere. Upper case: in code the lower-case words are names of anything. */
const KNOWN_ENDINGS = [
  'API_KEY',
  'APIKEY',
  'SECRET',
  'SECRET_KEY',
  'ACCESS_KEY',
  'PRIVATE_KEY',
  'TOKEN',
  'PASSWORD',
  'PASSWD',
  'PASSPHRASE',
];

/** A text without any of these holds no value behind a known name. */
const KNOWN_MARK = /(?:KEY|SECRET|TOKEN|PASSWORD|PASSWD|PASSPHRASE)\\*["']?\s*[=:]/;

/** A pattern such as `*_KEY`: the parts between its stars, in lower case. */
type NamePattern = readonly string[];

/** Tells whether a variable of this name holds a secret: by its ending, or by one of the patterns that the owner configured. */
export function isSecretName(name: string, patterns: readonly string[]): boolean {
  return isKnown(name) || isConfigured(name, patterns.map(patternOf));
}

function isKnown(name: string): boolean {
  return KNOWN_ENDINGS.some((ending) => name.endsWith(ending)) && /^[A-Z0-9_]+$/.test(name);
}

function isConfigured(name: string, patterns: readonly NamePattern[]): boolean {
  if (patterns.length === 0 || /\W/.test(name)) return false;
  const lower = name.toLowerCase();
  return patterns.some((pattern) => matches(lower, pattern));
}

function patternOf(pattern: string): NamePattern {
  return pattern.toLowerCase().split('*');
}

/** The leftmost place of each part leaves the most for those behind it, so nothing is tried twice. */
function matches(name: string, [first = '', ...others]: NamePattern): boolean {
  const last = others.pop();
  if (last === undefined) return name === first;
  if (!name.startsWith(first)) return false;
  let at = first.length;
  for (const part of others) {
    const found = name.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return name.length - last.length >= at && name.endsWith(last);
}

/** Finds values behind names. */
export class NamedValues {
  readonly #patterns: readonly NamePattern[];
  /** The longest part of each pattern: a text without any of them holds no configured name. */
  readonly #marks: readonly string[];

  constructor(patterns: readonly string[] = []) {
    this.#patterns = patterns.map(patternOf);
    this.#marks = this.#patterns.map((parts) => parts.toSorted((a, b) => b.length - a.length)[0] ?? '');
  }

  /** Adds the places of the values in a text. */
  addTo(found: Range[], text: string): void {
    const hasKnown = KNOWN_MARK.test(text);
    const lower = this.#marks.length === 0 ? '' : text.toLowerCase();
    const patterns = this.#marks.some((mark) => lower.includes(mark)) ? this.#patterns : [];
    if (!hasKnown && patterns.length === 0) return;
    const values = new Values(text, found);
    for (const { index, 0: sign } of text.matchAll(/=>?|:/g)) {
      const name = nameBefore(text, index);
      if (name.text === '') continue;
      const place = { ...name, sign, from: index + sign.length };
      if (isConfigured(name.text, patterns)) values.addConfigured(place);
      if (isKnown(name.text)) values.addKnown(place);
    }
  }
}

interface Name {
  readonly text: string;
  /** Reads whether a quote, or a backslash before one, follows the name, and whether blanks follow that. */
  readonly isQuoted: boolean;
  readonly isSpaced: boolean;
}

/** The name that stands before a sign, also in quotes that are escaped. */
function nameBefore(text: string, sign: number): Name {
  let spaced = sign;
  while (spaced > 0 && isBlank(text.charCodeAt(spaced - 1))) spaced -= 1;
  let to = spaced;
  const quote = text.charCodeAt(to - 1);
  if (quote === DOUBLE || quote === SINGLE) to -= 1;
  while (to > 0 && text.charCodeAt(to - 1) === BACKSLASH) to -= 1;
  let from = to;
  while (from > 0 && isWordCode(text.charCodeAt(from - 1))) from -= 1;
  return { text: text.slice(from, to), isQuoted: to < spaced, isSpaced: spaced < sign };
}

/** A name and the place behind its sign. */
interface Place extends Name {
  readonly sign: string;
  readonly from: number;
}

/** The form in which a value is written; each ends at characters of its own. */
type Form = 'known' | 'assigned' | 'line' | 'field' | 'double' | 'single' | 'escaped';

const ENDS = {
  known: /[^\s"'$]*/y,
  assigned: /[^\s"']*/y,
  line: /[^\n,}]*/y,
  field: /[^\s"',}]*/y,
  double: /[^"\\\n]*(?:\\.[^"\\\n]*)*/y,
  single: /[^'\n]*/y,
} as const satisfies Partial<Record<Form, RegExp>>;

const OPENING = /\s*(?<quote>\\*["'])?/y;
const FIRST_KNOWN = /["']?/y;
const FIRST_ASSIGNED = /\s*(?=[^\s"'\\=>])/y;
const FIRST_LINE = /[ \t]+(?=[^\s"'\\])/y;
const FIRST_FIELD = /(?=[^\s"'\\,}])/y;

/** Characters that an unquoted value behind a known ending has at least, for short words stand there in code. */
const KNOWN_LENGTH_MIN = 6;

const REDACTED = '[redacted]';

class Values {
  readonly #text: string;
  readonly #found: Range[];
  /** The end of the last value of each form. A value that begins before it has the same end: it is found already. */
  readonly #over = new Map<Form, number>();

  constructor(text: string, found: Range[]) {
    this.#text = text;
    this.#found = found;
  }

  /** Adds the values behind a known ending that no code looks like. */
  addKnown(place: Place): void {
    this.#addQuoted(place);
    if (place.sign === ':' || place.isQuoted || place.isSpaced) return;
    // The arrow is part of an ordinary value in `TOKEN=>…`.
    const first = this.#after(FIRST_KNOWN, place.from - place.sign.length + 1);
    if (first !== null) this.#add('known', first, KNOWN_LENGTH_MIN);
  }

  /** `name=value`, `name: value` and `"name": "value"`; `name: value` without quotes goes to the end of the line. Quotes stay, so that JSON stays JSON. */
  addConfigured(place: Place): void {
    this.#addQuoted(place);
    const add = (form: Form, before: RegExp): void => {
      const first = this.#after(before, place.from);
      if (first !== null) this.#add(form, first);
    };
    if (place.sign !== ':') add('assigned', FIRST_ASSIGNED);
    else if (!place.isSpaced) {
      add('line', FIRST_LINE);
      add('field', FIRST_FIELD);
    }
  }

  /** A value in quotes, to the closing one or to the end of its line. */
  #addQuoted({ from }: Place): void {
    OPENING.lastIndex = from;
    const quote = OPENING.exec(this.#text)?.groups?.['quote'];
    if (quote === undefined) return;
    const first = OPENING.lastIndex;
    if (quote.length > 1) this.#add('escaped', first);
    else this.#add(quote === '"' ? 'double' : 'single', first);
  }

  #after(before: RegExp, at: number): number | null {
    before.lastIndex = at;
    return before.test(this.#text) ? before.lastIndex : null;
  }

  #add(form: Form, from: number, lengthMin = 1): void {
    if (from < (this.#over.get(form) ?? 0) || this.#text.startsWith(REDACTED, from)) return;
    const to = form === 'escaped' ? this.#endOfEscaped(from) : (this.#after(ENDS[form], from) ?? from);
    if (to - from < lengthMin) return;
    this.#over.set(form, to);
    this.#found.push([from, to]);
  }

  /** The next escaped quote, or the end of the line. A run of backslashes is read once. */
  #endOfEscaped(from: number): number {
    if (LINE_END.test(this.#text.charAt(from))) return from;
    ESCAPED_END.lastIndex = from + 1;
    for (let end = ESCAPED_END.exec(this.#text); end !== null; end = ESCAPED_END.exec(this.#text)) {
      if (!end[0].endsWith('\\')) return end.index;
    }
    return this.#text.length;
  }
}

const LINE_END = /[\n\r\u2028\u2029]/;
const ESCAPED_END = /\\+["']?|[\n\r\u2028\u2029]/g;

const [DOUBLE, SINGLE, BACKSLASH, UNDERSCORE] = [0x22, 0x27, 0x5c, 0x5f];

function isWordCode(code: number): boolean {
  return (
    (code >= 0x30 && code <= 0x39) ||
    (code >= 0x41 && code <= 0x5a) ||
    (code >= 0x61 && code <= 0x7a) ||
    code === UNDERSCORE
  );
}

/** The white space of `\s`. */
function isBlank(code: number): boolean {
  if (code <= 0x20) return code === 0x20 || (code >= 0x09 && code <= 0x0d);
  return code >= 0xa0 && /\s/.test(String.fromCharCode(code));
}
