/**
 * Removes what a terminal puts between the letters of a text. Colours stand within words, and a program or a terminal breaks a long word over rows.
 */
import type { Range } from './ranges.ts';

/** A text without some of its parts, and where each of its letters stands in the whole one. */
export interface SeenThrough {
  readonly text: string;
  /** The control sequences that are long enough to hold a text, such as a link or a title. */
  readonly asides: readonly Range[];
  /** The place in the whole text of a place in this one. */
  toWhole(range: Range): Range;
}

/** Control sequences: CSI, OSC and the other strings, and the short ones. */
const CONTROL =
  // oxlint-disable-next-line no-control-regex
  /\u001b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\|$)|[ -/]*[0-~])|[\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\u00ad]/gy;

// oxlint-disable-next-line no-control-regex
const BREAK = /[\u001b\n\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\u00ad]/g;

/** Characters beside a word at the ends of a row: blanks, frames, the marks of a diff or a quotation. */
const PADDING = /[ \t\r│┃║|▏▕╎┆]/;

/** Characters from which on what is seen through may hold a secret itself. */
const ASIDE_FROM = 12;

/** Letters of two columns that a full row may have. */
const WIDE_LETTERS = 8;

/** Tells whether a text has anything to see through. */
export function isBroken(text: string): boolean {
  return text.search(BREAK) >= 0;
}

/** Removes control sequences, and joins full rows of a screen of so many columns: a form may go on in the next row. */
export function withoutColours(text: string, width?: number): SeenThrough {
  const controls = controlsIn(text);
  const breaks = width === undefined ? [] : fullRows(text, { controls, width });
  return without(
    text,
    [...controls, ...breaks].toSorted(([a], [b]) => a - b),
  );
}

/** The ends of the rows that fill a screen. A letter of two columns makes a row look shorter: some less is full, too. */
function fullRows(text: string, { controls, width }: { controls: readonly Range[]; width: number }): Range[] {
  const breaks: Range[] = [];
  let [from, next] = [0, 0];
  for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', from)) {
    let seen = end - from;
    for (; next < controls.length && (controls[next]?.[0] ?? 0) < end; next += 1) {
      const [begin = 0, over = 0] = controls[next] ?? [];
      seen -= over - begin;
    }
    if (seen >= width - WIDE_LETTERS) breaks.push([end, end + 1]);
    from = end + 1;
  }
  return breaks;
}

/** Removes control sequences, line ends and what stands around them: a value that was broken is whole there. */
export function withoutBreaks(text: string): SeenThrough {
  const parts: [number, number][] = controlsIn(text).map(([from, to]) => [from, to]);
  const out: [number, number][] = [];
  let next = 0;
  const takeControlsBefore = (place: number): void => {
    for (; next < parts.length && (parts[next]?.[0] ?? 0) < place; next += 1) out.push(parts[next] ?? [0, 0]);
  };
  for (let at = text.indexOf('\n'); at >= 0;) {
    takeControlsBefore(at);
    let from = at;
    for (;;) {
      const last = out.at(-1);
      if (last?.[1] === from) from = out.pop()?.[0] ?? from;
      else if (from > (last?.[1] ?? 0) && PADDING.test(text.charAt(from - 1))) from -= 1;
      else break;
    }
    let to = at + 1;
    for (;;) {
      if (parts[next]?.[0] === to) to = parts[next++]?.[1] ?? to;
      else if (to < text.length && (text[to] === '\n' || PADDING.test(text.charAt(to)))) to += 1;
      else break;
    }
    out.push([from, to]);
    at = text.indexOf('\n', to);
  }
  takeControlsBefore(text.length);
  return without(text, out);
}

/** Returns the part of a text that must stay when its words go: rows stay rows, and colours begin and end where they did. */
export function keptOf(text: string): string {
  return [...controlsIn(text).map(([from, to]) => [from, text.slice(from, to)] as const), ...lineEnds(text)]
    .toSorted(([a], [b]) => a - b)
    .map(([, part]) => part)
    .join('');
}

function lineEnds(text: string): (readonly [number, string])[] {
  return [...text.matchAll(/\n/g)].map(({ index }) => [index, '\n'] as const);
}

function controlsIn(text: string): Range[] {
  const found: Range[] = [];
  BREAK.lastIndex = 0;
  for (let mark = BREAK.exec(text); mark !== null; mark = BREAK.exec(text)) {
    if (mark[0] === '\n') continue;
    CONTROL.lastIndex = mark.index;
    const control = CONTROL.exec(text);
    if (control === null) continue;
    found.push([mark.index, CONTROL.lastIndex]);
    BREAK.lastIndex = CONTROL.lastIndex;
  }
  return found;
}

function without(text: string, parts: readonly Range[]): SeenThrough {
  const pieces: string[] = [];
  /** Starts of each piece, in the shorter and in the whole text. */
  const starts: [shorter: number, whole: number][] = [];
  let [length, from] = [0, 0];
  const take = (to: number): void => {
    if (to <= from) return;
    starts.push([length, from]);
    pieces.push(text.slice(from, to));
    length += to - from;
  };
  for (const [begin, end] of parts) {
    take(begin);
    from = Math.max(from, end);
  }
  take(text.length);
  const wholeOf = (place: number): number => {
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle]?.[0] ?? 0) <= place) low = middle;
      else high = middle - 1;
    }
    const [shorter, whole] = starts[low] ?? [0, 0];
    return whole + place - shorter;
  };
  const asides = parts.filter(([begin, end]) => end - begin >= ASIDE_FROM);
  return { text: pieces.join(''), asides, toWhole: ([first, last]) => [wholeOf(first), wholeOf(last - 1) + 1] };
}
