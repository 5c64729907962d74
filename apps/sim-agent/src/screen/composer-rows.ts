// Lays out the prompt box: rows between two rules, scrolled around the cursor when it is tall.

import { displayed } from '../keyboard/composer.ts';
import { coloured, plain, styled, type Row, type Span } from './row.ts';
import { textWidth, wrap, type WrappedRow } from './text-layout.ts';
import type { Size, View } from './view.ts';

/** The box with its rules, and the cursor's cell in it. */
export interface Box {
  readonly rows: readonly Row[];
  readonly cursor: { readonly x: number; readonly y: number };
}

/** Rows of the box that are shown at most: half the screen, less the rules, the footer and a row above. */
function visibleMax(height: number): number {
  return Math.max(1, Math.floor(height / 2) - 3);
}

/** The grey of the glyph is the one sure sign of a running turn, so it depends on `busy` alone. */
export function composerBox(view: View, size: Size): Box {
  const shown = displayed(view.composer);
  const shell = shown.text.startsWith('!');
  const text = shell ? shown.text.slice(1) : shown.text;
  const cursor = Math.max(0, shell ? shown.cursor - 1 : shown.cursor);
  const rows = wrap(text, size.width - 3);
  const at = cursorCell(rows, text, cursor);
  const max = visibleMax(size.height);
  const first = Math.max(0, Math.min(at.row - max + 1, rows.length - max));
  const visible = rows.slice(first, first + max);
  const below = rows.length - first - visible.length;
  const colour = shell ? view.persona.colours.error : view.persona.colours.rule;
  return {
    rows: [
      rule(view, size, { colour, more: first > 0 ? `↑ ${first} more` : '' }),
      ...visible.map((row, index) => [
        ...(first + index === 0 ? glyph(view, shell) : [plain('  ')]),
        ...body(view, row, { text, cursor: first + index === at.row ? at.column : undefined }),
      ]),
      rule(view, size, { colour, more: below > 0 ? `↓ ${below} more` : '' }),
    ],
    cursor: { x: 2 + at.cell, y: 1 + at.row - first },
  };
}

function glyph(view: View, shell: boolean): Span[] {
  const { prompt, colours } = view.persona;
  if (shell) return [coloured(prompt.shellGlyph + prompt.gap, colours.error)];
  const text = prompt.glyph + prompt.gap;
  return [view.busy ? coloured(text, colours.muted) : plain(text)];
}

function body(view: View, row: WrappedRow, at: { text: string; cursor: number | undefined }): Row {
  if (at.text === '' && view.placeholder !== '' && view.composer.atoms.length === 0) {
    return [styled(view.placeholder.slice(0, 1), '7'), styled(view.placeholder.slice(1), '2')];
  }
  if (at.cursor === undefined) return [plain(row.text)];
  const under = Array.from(row.text.slice(at.cursor))[0] ?? ' ';
  return [plain(row.text.slice(0, at.cursor)), styled(under, '7'), plain(row.text.slice(at.cursor + under.length))];
}

function cursorCell(
  rows: readonly WrappedRow[],
  text: string,
  cursor: number,
): { row: number; column: number; cell: number } {
  let row = 0;
  for (const [index, candidate] of rows.entries()) {
    if (candidate.start <= cursor) row = index;
  }
  const column = cursor - (rows[row]?.start ?? 0);
  return { row, column, cell: textWidth((rows[row]?.text ?? text).slice(0, column)) };
}

function rule(view: View, size: Size, style: { colour: number; more: string }): Row {
  const line = view.persona.ruleGlyph;
  const lead = style.more === '' ? '' : `${line.repeat(3)} ${style.more} `;
  return [coloured(lead + line.repeat(Math.max(0, size.width - lead.length)), style.colour)];
}
