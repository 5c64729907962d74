// Fits text into columns: cell widths and wrapping, pure.

/** Row of wrapped text and where it begins in the source, in UTF-16 units. */
export interface WrappedRow {
  readonly text: string;
  readonly start: number;
}

/** Ranges of code points that take two cells: East Asian wide and fullwidth forms, and emoji (Unicode 16, coarse). */
const WIDE: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x231a, 0x231b],
  [0x23e9, 0x23ec],
  [0x2614, 0x2615],
  [0x26a1, 0x26a1],
  [0x2705, 0x2705],
  [0x2728, 0x2728],
  [0x274c, 0x274c],
  [0x2753, 0x2755],
  [0x2795, 0x2797],
  [0x2b50, 0x2b50],
  [0x2e80, 0x303e],
  [0x3041, 0x33ff],
  [0x3400, 0x4dbf],
  [0x4e00, 0x9fff],
  [0xa000, 0xa4cf],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe4f],
  [0xff00, 0xff60],
  [0xffe0, 0xffe6],
  [0x1f300, 0x1f64f],
  [0x1f680, 0x1f6ff],
  [0x1f900, 0x1f9ff],
  [0x20000, 0x3fffd],
];
const NO_WIDTH = /^(?:\p{Mn}|\p{Me}|[\u200B-\u200F\u2060])$/u;

/** Cells that one code point takes: 0, 1 or 2. */
export function cellWidth(char: string): number {
  const code = char.codePointAt(0) ?? 0;
  if (code < 0x300) return 1;
  if (NO_WIDTH.test(char)) return 0;
  return code >= 0x1100 && WIDE.some(([low, high]) => code >= low && code <= high) ? 2 : 1;
}

/** Cells that a text without line breaks takes. */
export function textWidth(text: string): number {
  let width = 0;
  for (const char of text) width += cellWidth(char);
  return width;
}

/** The beginning of a text that fits into `width` cells, ending in `…` when something was cut. */
export function fit(text: string, width: number): string {
  if (textWidth(text) <= width) return text;
  let used = 0;
  let kept = '';
  for (const char of text) {
    used += cellWidth(char);
    if (used > width - 1) break;
    kept += char;
  }
  return width > 0 ? `${kept}…` : '';
}

/** Wraps at spaces where it can and inside a word where it must; every line break starts a row. Tabs are shown as spaces. */
export function wrap(text: string, width: number): WrappedRow[] {
  const rows: WrappedRow[] = [];
  let start = 0;
  for (const line of text.split('\n')) {
    for (const row of wrapLine(line.replaceAll('\t', ' '), Math.max(1, width))) {
      rows.push({ text: row.text, start: start + row.start });
    }
    start += line.length + 1;
  }
  return rows;
}

function wrapLine(line: string, width: number): WrappedRow[] {
  const rows: WrappedRow[] = [];
  let start = 0;
  let used = 0;
  let breakAt = 0;
  let usedAtBreak = 0;
  let index = 0;
  for (const char of line) {
    const cells = cellWidth(char);
    if (used + cells > width && char !== ' ') {
      const cut = breakAt > start ? breakAt : index;
      rows.push({ text: line.slice(start, cut), start });
      used = breakAt > start ? used - usedAtBreak : 0;
      start = cut;
    }
    used += cells;
    index += char.length;
    if (char === ' ') {
      breakAt = index;
      usedAtBreak = used;
    }
  }
  rows.push({ text: line.slice(start), start });
  return rows;
}
