/**
 * Takes secrets out of what leaves a machine, or the coordinator's hands: known forms, values behind configured names, and configured values in
 * their common encodings, also where a terminal coloured or broke them.
 */
import { addForms } from './forms.ts';
import { NamedValues } from './names.ts';
import { Needles } from './needles.ts';
import { merged, type Range } from './ranges.ts';
import { isBroken, keptOf, type SeenThrough, withoutBreaks, withoutColours } from './seen-through.ts';

/** Replacement of a secret. */
export const REDACTED = '[redacted]';

/** Values shorter than this are not replaced: they stand in ordinary words, and texts would be destroyed. */
export const VALUE_LENGTH_MIN = 8;

/** Characters of a text that are read. No message is as long; a longer text is cut, for nothing is shown that was not searched. */
const TEXT_CHARS_MAX = 4 << 20;
/** Room for what a text that was cut says at its end. */
const CUT_MARK_CHARS_MAX = 80;

/** A text that is shorter than the shortest secret with its surroundings holds none of the forms. */
const LENGTH_MIN = 8;

/**
 * Marks that tell most texts, in one look, from those that may have one of the forms that are known to all: nearly all texts are ids and plain
 * words.
 */
const MARKS =
  /sk-|drv_|drover-join|gh[pousr]_|github_pat_|gl[a-z]{2,5}-|npm_|pypi-|xox|xapp-|hooks\.slack|AIza|GOCSPX|ya29|A[KS]IA|IQoJ|FwoG|aws_se|AWS_SE|SecretAcc|SessionTo|_live_|_test_|whsec_|hf_|SG\.|hv[sb]\.|_v1_|dckr_|AccountKey|AGE-|eyJ|earer|EARER|asic |ASIC |:\/\/|(?:oken|ey|word|ecret|sig|ature)=|-----/;

/** Longest word at a cut that goes with it. */
const WORD_MAX = 8_192;

/** Secrets that are known by name or value. */
interface KnownSecrets {
  /** Patterns of names, such as `*_KEY`. */
  readonly names?: readonly string[];
  readonly values?: Iterable<string>;
}

/** Ends of a text that were cut, and the columns of the screen that it is. */
interface Cut {
  readonly start: boolean;
  readonly end: boolean;
  readonly width?: number | undefined;
}

/** Takes secrets out of texts, by known values that may grow and change while it works. */
export class Redactor {
  readonly #added = new Set<string>();
  #values: readonly string[] = [];
  #named = new NamedValues();
  #needles = new Needles([]);

  constructor(known: KnownSecrets = {}) {
    this.know(known);
  }

  /** Replaces the names and values of before; values that were added stay. */
  know({ names = [], values = [] }: KnownSecrets): void {
    this.#named = new NamedValues(names);
    this.#values = [...values];
    this.#rebuild();
  }

  /** Adds a value that came to be while it works, such as a password that was made. */
  add(value: string): void {
    if (this.#added.has(value)) return;
    this.#added.add(value);
    this.#rebuild();
  }

  /** Takes the secrets out of a text. Twice is the same as once. */
  text(text: string): string {
    return this.#redacted(text, { start: false, end: false });
  }

  /**
   * Takes the secrets out of a text that somebody cut: the word at a cut goes too, for it may be a half of one. Texts that we cut
   * ourselves are redacted first.
   */
  cutText(text: string, cut: { readonly start?: boolean; readonly end?: boolean }): string {
    const { start = false, end = false } = cut;
    const from = start ? (/^\S{1,8192}/.exec(text)?.[0].length ?? 0) : 0;
    const to = end ? text.length - lastWord(text) : text.length;
    if (from >= to) return start || end ? REDACTED : text;
    const inner = this.#redacted(text.slice(from, to), { start, end });
    return `${from > 0 ? REDACTED : ''}${inner}${to < text.length ? REDACTED : ''}`;
  }

  /**
   * Takes the secrets out of the screen of a pane: its first row may hold the end of a value that began above, and a row that is full may
   * go on in the next.
   *
   * @param width Columns of the pane; undefined when they are not known.
   */
  screen(text: string, width: number | undefined): string {
    return this.#redacted(text, { start: true, end: false, width });
  }

  /** The same plain data with the secrets taken out of every text in it, names of fields included. */
  value<T>(value: T): T {
    return this.#value(value) as T;
  }

  /** Serialises a value with the secrets taken out of every text in it. */
  json(value: unknown): string {
    return JSON.stringify(this.#value(value));
  }

  #value(value: unknown): unknown {
    if (typeof value === 'string') return this.text(value);
    if (Array.isArray(value)) return value.map((part: unknown) => this.#value(part));
    if (value instanceof Error) return this.text(value.stack ?? String(value));
    if (typeof value !== 'object' || value === null) return value;
    if ('toJSON' in value && typeof value.toJSON === 'function') return this.#value(JSON.parse(JSON.stringify(value)));
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [this.text(key), this.#value(part)]));
  }

  #rebuild(): void {
    const values = [...this.#values, ...this.#added].filter(({ length }) => length >= VALUE_LENGTH_MIN);
    this.#needles = new Needles(values);
  }

  #redacted(text: string, cut: Cut): string {
    if (text.length < LENGTH_MIN && !cut.start && !cut.end) return text;
    if (text.length > TEXT_CHARS_MAX) {
      const most = TEXT_CHARS_MAX - CUT_MARK_CHARS_MAX;
      const to = most - lastWord(text.slice(0, most));
      const mark = `${REDACTED} [${text.length - to} characters more are not shown]`;
      return `${this.#redacted(text.slice(0, to), { ...cut, end: true })}${mark}`;
    }
    const found = this.#found(text, cut.width);
    if (cut.start || cut.end) this.#needles.addHalves(found, text, cut);
    if (found.length === 0) return text;
    let [out, from] = ['', 0];
    for (const [begin, end] of merged(found)) {
      out += `${text.slice(from, begin)}${REDACTED}${keptOf(text.slice(begin, end))}`;
      from = end;
    }
    return out + text.slice(from);
  }

  #found(text: string, width?: number): Range[] {
    const found: Range[] = [];
    if (!isBroken(text)) {
      this.#addForms(found, text);
      this.#addValues(found, text);
      return found;
    }
    const plain = withoutColours(text, width);
    this.#addSeen(found, plain, (ranges, seen) => this.#addForms(ranges, seen));
    if (!this.#needles.isEmpty) {
      this.#addSeen(found, withoutBreaks(text), (ranges, seen) => this.#addValues(ranges, seen));
    }
    for (const [from, to] of plain.asides) {
      for (const [begin, end] of this.#found(text.slice(from + 1, to))) found.push([from + 1 + begin, from + 1 + end]);
    }
    return found;
  }

  #addForms(found: Range[], text: string): void {
    if (MARKS.test(text)) addForms(text, found);
    this.#named.addTo(found, text);
  }

  #addValues(found: Range[], text: string): void {
    this.#needles.addTo(found, text);
    this.#needles.addShortened(found, text);
  }

  #addSeen(found: Range[], seen: SeenThrough, add: (ranges: Range[], text: string) => void): void {
    const ranges: Range[] = [];
    add(ranges, seen.text);
    for (const range of ranges) found.push(seen.toWhole(range));
  }
}

function lastWord(text: string): number {
  let from = text.length;
  while (from > 0 && text.length - from < WORD_MAX && !/\s/.test(text.charAt(from - 1))) from -= 1;
  return text.length - from;
}
