/**
 * Finds places in a text where one of many known values stands, also in its common encodings. Takes one look at each character, however many values
 * there are.
 */
import type { Range } from './ranges.ts';
import { withoutBreaks } from './seen-through.ts';

/** Characters by which needles are told apart first. */
const HEAD = 4;
const SLOTS = 1 << 16;

const ELLIPSIS = /…|\.\.\./g;

/** Letters before an ellipsis that are looked at. */
const SHORTENED_MAX = 256;

/** Blanks of a value at which a row may end. */
const BLANKS_MAX = 32;

/** Form of a value. */
interface Needle {
  readonly text: string;
  /** Tells whether it lies in a longer word of base64, which goes as a whole. */
  readonly inBase64: boolean;
}

/** Values, to be found in texts. */
export class Needles {
  readonly #slots = new Uint8Array(SLOTS);
  readonly #byHead = new Map<number, Needle[]>();
  readonly #all: readonly Needle[];

  constructor(values: Iterable<string>) {
    const all = new Map<string, Needle>();
    for (const value of values) for (const needle of encodings(value)) all.set(needle.text, needle);
    this.#all = [...all.values()];
    for (const needle of this.#all) {
      const slot = slotAt(needle.text, 0);
      this.#slots[slot] = 1;
      const others = this.#byHead.get(slot) ?? [];
      others.push(needle);
      this.#byHead.set(slot, others);
    }
  }

  get isEmpty(): boolean {
    return this.#all.length === 0;
  }

  /** Adds the places where a value stands. */
  addTo(found: Range[], text: string): void {
    if (this.isEmpty) return;
    /** The last word of base64: it goes as a whole, so values within it are not looked for again. */
    let word: Range = [0, 0];
    const slots = this.#slots;
    let [first, second, third] = [text.charCodeAt(0), text.charCodeAt(1), text.charCodeAt(2)];
    for (let at = 0; at <= text.length - HEAD; at += 1) {
      const fourth = text.charCodeAt(at + 3);
      // The same as in `slotAt`; three letters are remembered.
      if (slots[(first + second * 31 + third * 961 + fourth * 29_791) & (SLOTS - 1)] === 1)
        word = this.#addAt(found, text, { at, word });
      first = second;
      second = third;
      third = fourth;
    }
  }

  /** Adds the beginning of a value that a program cut with an ellipsis. */
  addShortened(found: Range[], text: string): void {
    if (this.isEmpty) return;
    for (const { index: end } of text.matchAll(ELLIPSIS)) {
      for (let at = Math.max(0, end - SHORTENED_MAX); at <= end - HEAD * 2; at += 1) {
        const slot = slotAt(text, at);
        if (this.#slots[slot] === 0) continue;
        const half = text.slice(at, end);
        if ((this.#byHead.get(slot) ?? []).some((needle) => needle.text.startsWith(half))) {
          found.push([at, end]);
          break;
        }
      }
    }
  }

  /** @returns the last word of base64 that was found. */
  #addAt(found: Range[], text: string, { at, word }: { readonly at: number; readonly word: Range }): Range {
    let last = word;
    for (const { text: needle, inBase64 } of this.#byHead.get(slotAt(text, at)) ?? []) {
      const to = at + needle.length;
      if ((inBase64 && to <= last[1]) || !text.startsWith(needle, at)) continue;
      const range: Range = inBase64 ? wordAround(text, [at, to]) : [at, to];
      if (inBase64) last = range;
      found.push(range);
    }
    return last;
  }

  /** Adds a value's beginning at the end of a text, and a value's end at its beginning: what a cut left of it. */
  addHalves(found: Range[], text: string, { start, end }: { readonly start: boolean; readonly end: boolean }): void {
    for (const { text: needle } of this.#all) {
      for (let length = Math.min(needle.length - 1, text.length); length >= HEAD; length -= 1) {
        if (end && text.endsWith(needle.slice(0, length))) found.push([text.length - length, text.length]);
        if (start && text.startsWith(needle.slice(-length))) found.push([0, length]);
      }
    }
  }
}

function slotAt(text: string, at: number): number {
  const [first, second] = [text.charCodeAt(at), text.charCodeAt(at + 1)];
  return (first + second * 31 + text.charCodeAt(at + 2) * 961 + text.charCodeAt(at + 3) * 29_791) & (SLOTS - 1);
}

/** A value as it is, in JSON, in JSON within JSON, in a URL, in hexadecimal digits, and in base64 wherever it begins there. */
function encodings(value: string): readonly Needle[] {
  const inRows = withoutBreaks(value).text; // texts are searched without their line ends
  const json = JSON.stringify(value).slice(1, -1);
  const url = urlEncoded(value);
  const hex = Buffer.from(value).toString('hex');
  const plain = [
    value,
    inRows,
    ...brokenAtBlanks(inRows),
    json,
    JSON.stringify(json).slice(1, -1),
    url,
    url.replaceAll(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
    url.replaceAll('%20', '+'),
    hex,
    hex.toUpperCase(),
  ];
  const base64 = [0, 1, 2].flatMap((before) => {
    const word = base64Of(value, before);
    return [word, word.replaceAll('+', '-').replaceAll('/', '_')];
  });
  return [
    ...plain.map((text) => ({ text, inBase64: false })),
    ...base64.filter((text) => text.length >= HEAD * 2).map((text) => ({ text, inBase64: true })),
  ];
}

/** A row that ends at a blank of the value loses it. Several rows: each of them, or all blanks at once. */
function brokenAtBlanks(value: string): readonly string[] {
  const blanks = [...value.matchAll(/ +/g)].slice(0, BLANKS_MAX);
  const once = blanks.map(({ index, 0: blank }) => value.slice(0, index) + value.slice(index + blank.length));
  return blanks.length < 2 ? once : [...once, value.replaceAll(' ', '')];
}

/** A half of a pair of surrogates has no encoding. */
function urlEncoded(value: string): string {
  return value.isWellFormed() ? encodeURIComponent(value) : value;
}

/** The letters of base64 that depend on the value alone when so many bytes stand before it. */
function base64Of(value: string, before: number): string {
  const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(value)]);
  const from = Math.ceil((before * 8) / 6);
  return bytes.toString('base64').slice(from, Math.floor((bytes.length * 8) / 6));
}

const BASE64_LETTER = /[\w+/=-]/;

function wordAround(text: string, [from, to]: Range): Range {
  let [first, last] = [from, to];
  while (first > 0 && BASE64_LETTER.test(text.charAt(first - 1))) first -= 1;
  while (last < text.length && BASE64_LETTER.test(text.charAt(last))) last += 1;
  return [first, last];
}
