/** Finds a composer that starts with a prompt character, without a frame around it. */
import { styleAt } from '../ansi.ts';
import type { Row } from '../ansi.ts';
import { glyphAt, pieces } from './frame.ts';
import type { Box } from './frame.ts';
import type { ComposerShape } from '../profile/schema.ts';
import { styleMatches } from '../style-test.ts';

/** Rows between the line above a composer and its prompt row, the prompt row counted. */
const FRAME_ROWS = 3;

/** Finds the last prompt row and the rows of text under it. */
export function promptRow(
  shape: Extract<ComposerShape, { kind: 'prompt-row' }>,
  rows: readonly Row[],
  cursorRow: number | null,
): Box | null {
  const prompt = rows.findLastIndex((row, index) => frameTop(shape, rows, { row, index }) !== null);
  const first = rows[prompt];
  if (first === undefined) return null;
  const glyph = shape.glyph.exec(first.text);
  const end = textEnd(rows, { from: prompt + 1, ends: shape.ends, cursorRow });
  const lines = rows
    .slice(prompt, end)
    .map((row, index) => pieces(row, index === 0 ? (glyph?.[0].length ?? 0) : shape.indent));
  const top = frameTop(shape, rows, { row: first, index: prompt }) ?? prompt;
  return {
    top,
    bottom: end - 1,
    glyph: styleAt(first, glyphAt(first)),
    lines,
    scrolled: false,
    lead: glyph?.groups?.['lead'] ?? '',
  };
}

/** The first row of the frame around a prompt row; null when the row is none. */
function frameTop(
  { glyph, glyphStyle, above }: Extract<ComposerShape, { kind: 'prompt-row' }>,
  rows: readonly Row[],
  { row, index }: { row: Row; index: number },
): number | null {
  if (!glyph.test(row.text) || !styleMatches(glyphStyle, styleAt(row, glyphAt(row)))) return null;
  if (above === null) return index;
  const from = Math.max(0, index - FRAME_ROWS);
  const line = rows.slice(from, index).findLastIndex((higher) => above.test(higher.text));
  return line < 0 ? null : from + line;
}

/** The first row under the prompt row that is no longer text. Text can hold blank rows; the cursor is never below its end. */
function textEnd(
  rows: readonly Row[],
  {
    from,
    ends,
    cursorRow,
  }: { from: number; ends: 'first-blank' | 'last-blank' | 'same-row'; cursorRow: number | null },
): number {
  if (ends === 'same-row') return from;
  const least = ends === 'last-blank' || cursorRow === null ? from : Math.max(from, cursorRow + 1);
  const firstBlank = rows.findIndex((row, index) => index >= least && row.text === '');
  if (firstBlank < 0) return Math.min(least, rows.length);
  if (ends === 'first-blank') return firstBlank;
  const lastShown = rows.findLastIndex((row) => row.text !== '');
  return Math.max(
    rows.slice(0, lastShown).findLastIndex((row, index) => index >= from && row.text === ''),
    from,
  );
}
