/** Finds a composer that stands between two horizontal rules. */
import { styleAt } from '../ansi.ts';
import type { Row } from '../ansi.ts';
import { pieces } from './frame.ts';
import type { Box } from './frame.ts';
import type { ComposerShape } from '../profile/schema.ts';
import { styleMatches } from '../style-test.ts';

/** Finds the last two rules with a prompt character between them, or with a note that the box has scrolled. */
export function betweenRules(
  shape: Extract<ComposerShape, { kind: 'between-rules' }>,
  rows: readonly Row[],
): Box | null {
  const isRule = (row: Row): boolean => shape.rule.test(row.text) && styleMatches(shape.ruleStyle, styleAt(row, 0));
  const bottom = rows.findLastIndex(isRule);
  const top = rows.slice(0, Math.max(bottom, 0)).findLastIndex(isRule);
  const first = rows[top + 1];
  const topRule = rows[top];
  if (top < 0 || first === undefined || topRule === undefined || bottom - top < 2) return null;
  const glyph = shape.glyph.exec(first.text);
  const scrolled = shape.scrolled.test(topRule.text);
  if (glyph === null && !scrolled) return null;
  const lines = rows
    .slice(top + 1, bottom)
    .map((row, index) => pieces(row, index === 0 && glyph !== null ? glyph[0].length : shape.indent));
  const lead = glyph?.groups?.['lead'] ?? '';
  const style = glyph === null || lead !== '' ? null : styleAt(first, 0);
  const cut = scrolled || shape.scrolled.test(rows[bottom]?.text ?? '');
  return { top, bottom, glyph: style, lines, scrolled: cut, lead };
}
