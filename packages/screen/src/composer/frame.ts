/** Defines a composer's frame, whatever its shape, and takes its text out. */
import type { Row, Style } from '../ansi.ts';

/** A piece of a composer's text with its style. */
export interface Piece {
  readonly text: string;
  readonly style: Style;
}

/** The composer's frame. Row numbers count from 0; `bottom` is the last row of the frame. */
export interface Box {
  readonly top: number;
  readonly bottom: number;
  /** The style of the prompt character; null where the shape has none, it is scrolled away or it is part of the text. */
  readonly glyph: Style | null;
  /** The text rows inside, without frame, prompt character and indent. */
  readonly lines: readonly (readonly Piece[])[];
  readonly scrolled: boolean;
  /** Text that the prompt character adds, such as `!` in shell mode. */
  readonly lead: string;
}

/** The index of the first visible character. */
export function glyphAt(row: Row): number {
  const at = row.text.search(/\S/u);
  return Math.max(at, 0);
}

/** The runs of a row from a position on, to an end if given. */
export function pieces(row: Row, from: number, to = Number.POSITIVE_INFINITY): Piece[] {
  const found: Piece[] = [];
  for (const run of row.runs) {
    const start = Math.max(from - run.at, 0);
    const text = run.text.slice(start, Math.max(to - run.at, 0));
    if (text !== '') found.push({ text, style: run.style });
  }
  return found;
}
