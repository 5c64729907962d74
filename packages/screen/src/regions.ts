/** Divides the screen into its parts, and looks for signs in them. */
import { styleAt } from './ansi.ts';
import type { Row } from './ansi.ts';
import { glyphAt } from './composer/frame.ts';
import type { Box } from './composer/frame.ts';
import type { Profile, Region, Sign } from './profile/schema.ts';
import { styleMatches } from './style-test.ts';
import type { Surroundings } from './style-test.ts';

/** A screen cut into its parts. */
export interface View {
  readonly rows: readonly Row[];
  readonly title: string;
  readonly box: Box | null;
  /** Index of the first row of the last block above the composer. */
  readonly lastBlock: number;
  /** Index of the last prompt of the user, or -1. */
  readonly turn: number;
  /** Index of the first row that is no longer above the composer. */
  readonly end: number;
}

/** Rows at the bottom that the region `bottom` covers. Dialog hints and status lines never stand higher. */
const BOTTOM_ROWS = 10;

/** Cuts a screen into parts. */
export function viewOf(
  profile: Profile,
  rows: readonly Row[],
  { title, box }: { title: string; box: Box | null },
): View {
  const end = box?.top ?? rows.findLastIndex((row) => row.text !== '') + 1;
  const above = rows.slice(0, end);
  const { block, prompt } = profile.screen;
  const isPrompt = (row: Row): boolean => {
    const match = prompt.matches.exec(row.text);
    return (
      match !== null &&
      (prompt.text === undefined || styleMatches(prompt.text, styleAt(row, glyphAt(row)), surroundings(row)))
    );
  };
  return {
    rows,
    title,
    box,
    lastBlock: Math.max(
      above.findLastIndex((row) => block.test(row.text)),
      0,
    ),
    turn: above.findLastIndex(isPrompt),
    end,
  };
}

/** Row in which a sign was seen. */
export interface Seen {
  readonly sign: Sign;
  /** The row (or title), trimmed. */
  readonly text: string;
  /** The match of the sign's pattern. */
  readonly match: RegExpExecArray | null;
}

/** The first sign of a list that stands on the screen, or null. */
export function firstSeen(view: View, signs: readonly Sign[]): Seen | null {
  for (const sign of signs) {
    const seen = findSign(view, sign);
    if (seen !== null) return seen;
  }
  return null;
}

function findSign(view: View, sign: Sign): Seen | null {
  if (sign.in === 'title') return findInText(view.title, sign);
  if (sign.in === 'glyph') {
    const style = view.box?.glyph;
    return style !== undefined && style !== null && sign.text !== undefined && styleMatches(sign.text, style)
      ? { sign, text: '', match: null }
      : null;
  }
  const rows = rowsIn(view, sign.in);
  if (sign.head !== undefined && !sign.head.test(rows[0]?.text ?? '')) return null;
  for (const row of rows) {
    const seen = findInRow(row, sign);
    if (seen !== null) return seen;
  }
  return null;
}

function findInText(text: string, sign: Sign): Seen | null {
  const match = sign.matches?.exec(text) ?? null;
  return match === null ? null : { sign, text: text.trim(), match };
}

function findInRow(row: Row, sign: Sign): Seen | null {
  if (row.text === '') return null;
  const match = sign.matches?.exec(row.text) ?? null;
  if (sign.matches !== undefined && match === null) return null;
  const around = surroundings(row);
  if (sign.marker !== undefined && !styleMatches(sign.marker, around.marker, around)) return null;
  if (sign.text !== undefined && !styleMatches(sign.text, styleAt(row, textAt(match)), around)) return null;
  return { sign, text: row.text.trim(), match };
}

function surroundings(row: Row): Surroundings {
  return { marker: styleAt(row, glyphAt(row)), ground: styleAt(row, 0).bg };
}

/** Returns where the tested text starts: at the group `at`, else at the match. */
function textAt(match: RegExpExecArray | null): number {
  if (match === null) return 0;
  const at = match.groups?.['at'];
  return at === undefined ? match.index : match.index + match[0].lastIndexOf(at);
}

/** The rows of a region, top down. Blank rows are included. */
export function rowsIn(view: View, region: Exclude<Region, 'title' | 'glyph'>): readonly Row[] {
  switch (region) {
    case 'box':
      return view.box === null ? [] : view.rows.slice(view.box.top, view.box.bottom + 1);
    case 'footer':
      return view.box === null ? [] : view.rows.slice(view.box.bottom + 1);
    case 'last':
      return view.rows.slice(view.lastBlock, view.end);
    case 'turn':
      return view.rows.slice(Math.max(view.turn, 0), view.end);
    case 'above':
      return view.rows.slice(0, view.end);
    case 'bottom':
      return view.rows.filter((row) => row.text !== '').slice(-BOTTOM_ROWS);
    default:
      return region satisfies never;
  }
}

/** The words of a row of the conversation, without what stands right of it. */
export function withoutAside(profile: Profile, text: string): string {
  const { aside } = profile.screen;
  return (aside === null ? text : text.replace(aside, '')).trim();
}
