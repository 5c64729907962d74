/** Finds a composer that is drawn as rows with a bar at the left and a closing row. */
import { glyphAt, pieces } from './frame.ts';
import type { Box } from './frame.ts';
import { styleAt } from '../ansi.ts';
import type { Row } from '../ansi.ts';
import type { ComposerShape } from '../profile/schema.ts';

/** Finds the lowest closing row and the bars above it. */
export function frameBar(
  { bar, close, indent, plain }: Extract<ComposerShape, { kind: 'bar' }>,
  rows: readonly Row[],
): Box | null {
  const below = rows.findLastIndex((row) => close.test(row.text));
  const closing = rows[below];
  if (closing === undefined) return null;
  const column = glyphAt(closing);
  // Blank rows may stand between a plain box and the row that closes it.
  const bottom = plain ? rows.slice(0, below).findLastIndex((row) => row.text !== '') + 1 : below;
  const colour = styleAt((plain ? rows[bottom - 1] : undefined) ?? closing, column).fg;
  const isBar = (row: Row | undefined): boolean => row?.text[column] === bar && styleAt(row, column).fg === colour;
  let top = bottom;
  while (isBar(rows[top - 1])) top -= 1;
  // The inside is one blank row, the text, one blank row, and unless it is plain the status row.
  const inside = rows.slice(top, bottom);
  if (inside.length < 3) return null;
  // Right of the closing row is another part of the screen.
  const right = plain ? undefined : column + (close.exec(closing.text)?.[0].trimStart().length ?? 0);
  const lines = inside.slice(1, plain ? -1 : -2).map((row) => pieces(row, column + indent, right));
  return { top, bottom, glyph: null, lines, scrolled: false, lead: '' };
}
