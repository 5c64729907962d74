/** Reads the text of `capture-pane -p -e` into rows of styled runs. Tolerates any input: unknown sequences are dropped, nothing throws. */

/** `default` is the terminal's own colour; a number is an entry of the 256-colour table (0-255); `#rrggbb` is direct. */
export type Colour = 'default' | number | `#${string}`;

/** Style of one run of characters. */
export interface Style {
  readonly fg: Colour;
  readonly bg: Colour;
  readonly bold: boolean;
  readonly dim: boolean;
  readonly italic: boolean;
  readonly underline: boolean;
  readonly reverse: boolean;
  readonly strike: boolean;
}

/** Characters in a row that share one style. `at` counts UTF-16 units from the start of the row. */
export interface Run {
  readonly at: number;
  readonly text: string;
  readonly style: Style;
}

/** Row without its line end. `text` has no trailing spaces (a no-break space stays); runs may. */
export interface Row {
  readonly text: string;
  readonly runs: readonly Run[];
}

/** Style without colour and attribute. */
export const PLAIN: Style = {
  fg: 'default',
  bg: 'default',
  bold: false,
  dim: false,
  italic: false,
  underline: false,
  reverse: false,
  strike: false,
};

/**
 * Reads a capture into rows. Styles carry over line ends, as tmux writes them.
 * Rows are as many as the capture has lines; blank rows at the end are kept.
 */
export function parseAnsi(capture: string): Row[] {
  return new RowReader().rows(capture);
}

/** A line that was read, in which style it began and ended, and what came of it. */
interface ReadLine {
  readonly line: string;
  readonly before: Style;
  readonly row: Row;
  readonly after: Style;
}

/** Reads one capture of a pane after another: a row that is as it was at the look before is not read again, and stays the same object. */
export class RowReader {
  #read: readonly ReadLine[] = [];

  /** The same rows as {@link parseAnsi}. */
  rows(capture: string): Row[] {
    const known = this.#read;
    const lines = capture.endsWith('\n') ? capture.slice(0, -1).split('\n') : capture.split('\n');
    let style = PLAIN;
    const read = lines.map((line, index) => {
      const one = known[index];
      const now = one !== undefined && one.line === line && areSame(one.before, style) ? one : readLine(line, style);
      style = now.after;
      return now;
    });
    this.#read = read;
    return read.map(({ row }) => row);
  }
}

function areSame(one: Style, other: Style): boolean {
  return (
    one === other ||
    (one.fg === other.fg &&
      one.bg === other.bg &&
      one.bold === other.bold &&
      one.dim === other.dim &&
      one.italic === other.italic &&
      one.underline === other.underline &&
      one.reverse === other.reverse &&
      one.strike === other.strike)
  );
}

/** The line is copied: a piece of a capture would keep all of it in memory as long as the row is remembered. */
function readLine(piece: string, before: Style): ReadLine {
  const line = `\n${piece}`.slice(1);
  const { row, style } = parseLine(line, before);
  return { line, before, row, after: style };
}

/** The style of the character at `index`, or `PLAIN` beyond the end. */
export function styleAt(row: Row, index: number): Style {
  for (const run of row.runs) if (index < run.at + run.text.length) return index >= run.at ? run.style : PLAIN;
  return PLAIN;
}

/**
 * Escape sequence: CSI, a string (OSC, DCS, APC, PM, SOS) to its terminator or the end of the line, a two-character escape; or one control
 * character. Source: ECMA-48.
 */
const SEQUENCE =
  // oxlint-disable-next-line no-control-regex -- escape sequences are made of control characters
  /\x1b\[([0-?]*)[ -/]*([@-~])|\x1b[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\|$)|\x1b[ -/]*[0-~]?|[\x00-\x08\x0b-\x1a\x1c-\x1f\x7f]/g;

function parseLine(line: string, before: Style): { row: Row; style: Style } {
  const runs: Run[] = [];
  let text = '';
  let style = before;
  const add = (piece: string): void => {
    if (piece === '') return;
    const at = text.length;
    text += piece;
    runs.push({ at, text: piece, style });
  };
  let from = 0;
  for (const match of line.matchAll(SEQUENCE)) {
    add(line.slice(from, match.index));
    from = match.index + match[0].length;
    if (match[2] === 'm') style = applySgr(style, match[1] ?? '');
  }
  add(line.slice(from));
  return { row: { text: withoutTrailingSpaces(text), runs }, style };
}

/** Removes the spaces by hand: a pattern tries anew at each space of a row, which was half of all that a judgement cost. */
function withoutTrailingSpaces(text: string): string {
  let end = text.length;
  while (text.charAt(end - 1) === ' ') end -= 1;
  return text.slice(0, end);
}

/** Applies one `CSI … m`. Colon forms (`38:2::r:g:b`, `4:3`) are read like their semicolon forms. */
function applySgr(style: Style, params: string): Style {
  if (params === '' || params === '0') return PLAIN;
  const codes = params.split(';').flatMap(expandColons);
  let next: Style = style;
  for (let i = 0; i < codes.length; i += 1) {
    const code = codes[i] ?? 0;
    if (code === 38 || code === 48) {
      const { colour, used } = extendedColour(codes, i + 1);
      if (colour !== null) next = code === 38 ? { ...next, fg: colour } : { ...next, bg: colour };
      i += used;
    } else next = applyCode(next, code);
  }
  return next;
}

function expandColons(part: string): number[] {
  if (!part.includes(':')) return [Number(part) || 0];
  const [head, ...rest] = part.split(':');
  if (head === '4') return [rest[0] === '0' ? 24 : 4];
  if (head === '58') return [];
  // `38:2::r:g:b` has an empty colour space before the three values.
  const values = rest[0] === '2' && rest.length > 4 ? ['2', ...rest.slice(2)] : rest;
  return [head, ...values].map((value) => Number(value) || 0);
}

function extendedColour(codes: readonly number[], at: number): { colour: Colour | null; used: number } {
  if (codes[at] === 5) return { colour: codes[at + 1] ?? null, used: 2 };
  if (codes[at] !== 2) return { colour: null, used: 0 };
  const hex = [codes[at + 1], codes[at + 2], codes[at + 3]].map((part) =>
    ((part ?? 0) & 255).toString(16).padStart(2, '0'),
  );
  return { colour: `#${hex.join('')}`, used: 4 };
}

/** The attributes that SGR codes switch. */
const ATTRIBUTES: Readonly<Record<number, Partial<Style>>> = {
  0: PLAIN,
  1: { bold: true },
  2: { dim: true },
  3: { italic: true },
  4: { underline: true },
  7: { reverse: true },
  9: { strike: true },
  22: { bold: false, dim: false },
  23: { italic: false },
  24: { underline: false },
  27: { reverse: false },
  29: { strike: false },
  39: { fg: 'default' },
  49: { bg: 'default' },
};

function applyCode(style: Style, code: number): Style {
  const change = ATTRIBUTES[code];
  if (change !== undefined) return { ...style, ...change };
  if (code >= 30 && code <= 37) return { ...style, fg: code - 30 };
  if (code >= 90 && code <= 97) return { ...style, fg: code - 90 + 8 };
  if (code >= 40 && code <= 47) return { ...style, bg: code - 40 };
  if (code >= 100 && code <= 107) return { ...style, bg: code - 100 + 8 };
  return style;
}
