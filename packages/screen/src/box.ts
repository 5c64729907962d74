/** Where is the composer on the screen, and what stands in it? */
import type { Composer } from '@drover/core';
import { parseAnsi, styleAt } from './ansi.ts';
import type { Row, Style } from './ansi.ts';
import { frameBar } from './box-bar.ts';
import type { ComposerShape, Profile } from './profile/schema.ts';
import { styleMatches } from './style-test.ts';

/** Rows between the line above a composer and its prompt row, the prompt row counted. */
const FRAME_ROWS = 3;

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
  /** What the prompt character adds to the text, such as `!` in shell mode. */
  readonly lead: string;
}

/**
 * The lowest composer on the screen, or null.
 *
 * @param cursorRow The row of the cursor, if known. A running program keeps it in its composer: one without it was left
 *   by a program that has ended, or is only printed. Source: all 1,153 recorded screens.
 */
export function findBox(profile: Profile, rows: readonly Row[], cursorRow: number | null): Box | null {
  const box = boxOf(profile.screen.composer, rows, cursorRow);
  return box === null || cursorRow === null || (cursorRow >= box.top && cursorRow <= box.bottom) ? box : null;
}

function boxOf(shape: ComposerShape, rows: readonly Row[], cursorRow: number | null): Box | null {
  switch (shape.kind) {
    case 'between-rules':
      return betweenRules(shape, rows);
    case 'prompt-row':
      return promptRow(shape, rows, cursorRow);
    case 'bar':
      return frameBar(shape, rows);
    default:
      return shape satisfies never;
  }
}

/**
 * Reads what stands in the composer of a capture.
 *
 * @param capture Text of `capture-pane -p -e`.
 * @param cursorRow `cursor_y` of the pane, which tells a live composer from a printed one.
 * @returns `none` when no composer is on the screen.
 */
export function composerOf(profile: Profile, capture: string, cursorRow: number | null = null): Composer {
  const box = findBox(profile, parseAnsi(capture), cursorRow);
  return box === null ? { kind: 'none' } : readBox(profile, box);
}

/** What stands in a composer: a placeholder is `empty`, a suggestion behind the typed text is left out. */
export function readBox(profile: Profile, box: Box): Composer {
  const { placeholder, paste } = profile.screen;
  const isPlaceholder = (piece: Piece): boolean =>
    placeholder.style !== undefined && styleMatches(placeholder.style, piece.style);
  const lines = box.lines.map((line) =>
    withoutSuggestion(line, isPlaceholder)
      .map((piece) => piece.text)
      .join('')
      .trimEnd(),
  );
  const text = box.lead + lines.join('\n').replace(/^\n+|\n+$/gu, '');
  if (text.trim() === '' || placeholder.matches?.test(text.trim()) === true) return { kind: 'empty' };
  const pasted = paste.test(text);
  return { kind: 'text', text, whole: !box.scrolled && !pasted, pasted };
}

/** Drops pieces in the placeholder's style, and the cursor cell that stands on the first of them. */
function withoutSuggestion(line: readonly Piece[], isPlaceholder: (piece: Piece) => boolean): Piece[] {
  return line.filter((piece, index) => {
    const next = line[index + 1];
    return !isPlaceholder(piece) && !(piece.style.reverse && next !== undefined && isPlaceholder(next));
  });
}

function betweenRules(shape: Extract<ComposerShape, { kind: 'between-rules' }>, rows: readonly Row[]): Box | null {
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

function promptRow(
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
  { from, ends, cursorRow }: { from: number; ends: 'first-blank' | 'last-blank'; cursorRow: number | null },
): number {
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
