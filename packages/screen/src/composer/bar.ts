/** Finds a composer that is drawn as rows with a bar at the left and a closing row. */
import { glyphAt, pieces } from './frame.ts';
import type { Box } from './frame.ts';
import { styleAt } from '../ansi.ts';
import type { Row } from '../ansi.ts';
import type { ComposerShape } from '../profile/schema.ts';

/** Finds the lowest closing row and the bars above it. The area right of the closing row is another part of the screen. */
export function frameBar(shape: Extract<ComposerShape, { kind: 'bar' }>, rows: readonly Row[]): Box | null {
  const bottom = rows.findLastIndex((row) => shape.close.test(row.text));
  const closing = rows[bottom];
  if (closing === undefined) return null;
  const column = glyphAt(closing);
  const right = column + (shape.close.exec(closing.text)?.[0].trimStart().length ?? 0);
  const colour = styleAt(closing, column).fg;
  const isBar = (row: Row | undefined): boolean =>
    row?.text[column] === shape.bar && styleAt(row, column).fg === colour;
  let top = bottom;
  while (isBar(rows[top - 1])) top -= 1;
  // The inside is one blank row, the text, one blank row, the status row.
  const inside = rows.slice(top, bottom);
  if (inside.length < 3) return null;
  const lines = inside.slice(1, -2).map((row) => pieces(row, column + 3, right));
  return { top, bottom, glyph: null, lines, scrolled: false, lead: '' };
}
