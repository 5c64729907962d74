// Writes a row of the screen: styled spans in, a row of exactly the screen's width out.

import { cellWidth, textWidth } from './text-layout.ts';

/** A piece of a row in one style; `style` is the parameters of an SGR sequence such as `1;38;5;246`, empty for plain. */
export interface Span {
  readonly text: string;
  readonly style: string;
}

/** Row of spans, left to right. */
export type Row = readonly Span[];

/** A row with nothing on it. */
export const BLANK_ROW: Row = [];

/** A span without style. */
export function plain(text: string): Span {
  return { text, style: '' };
}

/** A span in a colour of the 256-colour palette, with other SGR parameters before it. */
export function coloured(text: string, colour: number, ...attributes: readonly string[]): Span {
  return { text, style: [...attributes, `38;5;${colour}`].join(';') };
}

/** A span with SGR attributes only: `1` bold, `2` dim, `3` italic, `7` reverse. */
export function styled(text: string, ...attributes: readonly string[]): Span {
  return { text, style: attributes.join(';') };
}

/** Moves a row to the right edge. */
export function alignRight(row: Row, width: number, margin: number): Row {
  const used = row.reduce((sum, span) => sum + textWidth(span.text), 0);
  return [plain(' '.repeat(Math.max(0, width - used - margin))), ...row];
}

/** The bytes that paint a row, cut at the screen's width. Each span sets its whole style, so rows never leak into each other. */
export function encodeRow(row: Row, width: number): string {
  let left = width;
  let out = '';
  for (const span of row) {
    if (left <= 0) break;
    const text = cut(span.text, left);
    left -= textWidth(text);
    out += span.style === '' ? `\u001B[0m${text}` : `\u001B[0;${span.style}m${text}`;
  }
  return `${out}\u001B[0m`;
}

function cut(text: string, width: number): string {
  let used = 0;
  let index = 0;
  for (const char of text) {
    used += cellWidth(char);
    if (used > width) return text.slice(0, index);
    index += char.length;
  }
  return text;
}
