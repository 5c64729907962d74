/** Reads the options of a dialog, and which one is highlighted. */
import type { DialogOption } from '@drover/core';
import { styleAt } from '../ansi.ts';
import type { Colour, Row } from '../ansi.ts';
import type { Profile } from '../profile/schema.ts';
import { styleMatches } from '../style-test.ts';

/** Options of a dialog with the rows that they stand on. */
export interface FoundOptions {
  readonly options: readonly DialogOption[];
  readonly first: number;
  readonly highlighted: number;
  readonly last: number;
}

/** `3. Label`, behind a frame, a highlight or a scroll arrow. */
const NUMBERED = /^[\s│┃❯›●↓↑▲▼]*(?<number>\d{1,2})\.\s+(?<label>\S.*)$/u;
/** Two blanks part a label from its description, a frame ends the row. */
const LABEL_END = /\s{2,}|\s*[│┃]/u;
/** Options further apart than this are not of one dialog. */
const SPREAD_ROWS = 60;

/** Options under a highlight that is a character, such as `❯ 2. No`. */
export function optionsByMark(profile: Profile, rows: readonly Row[], from: number): FoundOptions | null {
  const { option, mark, submit } = profile.screen.dialog;
  const isMarked = (row: Row): boolean => marked(row, option, mark) || (submit !== null && marked(row, submit, mark));
  const at = rows.findLastIndex((row, index) => index >= from && isMarked(row));
  const row = rows[at];
  if (row === undefined) return null;
  if (submit?.test(row.text) === true) return listed(rows, at, { column: row.text.search(/\S/u) + MARK_WIDTH, submit });
  const label = option.exec(row.text)?.groups?.['label'];
  if (label === undefined) return null;
  return NUMBERED.test(row.text) ? numbered(rows, at) : listed(rows, at, { column: row.text.indexOf(label), submit });
}

/** Columns of a mark and of the blank behind it. */
const MARK_WIDTH = 2;

function marked(row: Row, option: RegExp, mark: Parameters<typeof styleMatches>[0]): boolean {
  const found = option.exec(row.text)?.groups?.['mark'];
  return found !== undefined && styleMatches(mark, styleAt(row, row.text.indexOf(found)));
}

/** Numbered options under a highlight that is a background, in a frame: the number is drawn on another one. */
export function optionsByBackground(profile: Profile, rows: readonly Row[], from: number): FoundOptions | null {
  if (profile.screen.dialog.selected === null) return null;
  const at = rows.findLastIndex((row, index) => index >= from && NUMBERED.test(row.text) && standsOut(profile, row));
  return at < 0 ? null : numbered(rows, at);
}

function standsOut(profile: Profile, row: Row): boolean {
  const { frame, selected } = profile.screen.dialog;
  const style = styleAt(row, row.text.search(/\d/u));
  return frame.test(row.text) && selected !== null && styleMatches(selected, style) && style.bg !== groundOf(row);
}

/** The background of a framed row: what stands right of the bar. */
function groundOf(row: Row): Colour {
  return styleAt(row, row.text.search(/\S/u) + 1).bg;
}

/** Options side by side in one row. */
export function optionsAcross(profile: Profile, rows: readonly Row[], from: number): FoundOptions | null {
  const { across, frame } = profile.screen.dialog;
  if (across === null) return null;
  for (let at = rows.length - 1; at >= from; at -= 1) {
    const options = frame.test(rows[at]?.text ?? '') ? besides(rows[at], across) : [];
    if (options.some((option) => option.highlighted)) return { options, first: at, highlighted: at, last: at };
  }
  return null;
}

/** The options of one row; the highlighted one stands on another background than the frame. */
function besides(row: Row | undefined, across: RegExp): DialogOption[] {
  const labels = row === undefined ? undefined : across.exec(row.text)?.groups;
  if (row === undefined || labels === undefined) return [];
  const ground = groundOf(row);
  return Object.values(labels)
    .filter((label) => label !== undefined)
    .map((label) => ({ label: label.trim(), highlighted: styleAt(row, row.text.indexOf(label)).bg !== ground }));
}

/** Walks from the highlighted number to its neighbours. */
function numbered(rows: readonly Row[], at: number): FoundOptions {
  const start = numberOf(rows[at]);
  const found = [{ row: at, ...start }];
  for (let row = at - 1, next = start.number - 1; row >= Math.max(0, at - SPREAD_ROWS) && next > 0; row -= 1) {
    const option = numberOf(rows[row]);
    if (option.number !== next) continue;
    found.unshift({ row, ...option });
    next -= 1;
  }
  for (let row = at + 1, next = start.number + 1; row < rows.length; row += 1) {
    const option = numberOf(rows[row]);
    if (option.number !== next) continue;
    found.push({ row, ...option });
    next += 1;
  }
  // A long list scrolls: what people see as the fourth option may be the first that is shown.
  const isScrolled = found[0]?.number !== 1;
  return {
    options: found.map(({ row, label, number }) => ({ label, highlighted: row === at, ...(isScrolled && { number }) })),
    first: found[0]?.row ?? at,
    highlighted: at,
    last: found.at(-1)?.row ?? at,
  };
}

function numberOf(row: Row | undefined): { number: number; label: string } {
  const groups = row === undefined ? undefined : NUMBERED.exec(row.text)?.groups;
  return { number: Number(groups?.['number'] ?? 0), label: shortened(groups?.['label'] ?? '') };
}

/** Rows around the highlight that start in the same column, and the one that confirms them. */
function listed(
  rows: readonly Row[],
  at: number,
  { column, submit }: { readonly column: number; readonly submit: RegExp | null },
): FoundOptions {
  const isOption = (row: Row | undefined): boolean => {
    if (row !== undefined && submit?.test(row.text) === true) return true;
    const start = row === undefined ? -1 : row.text.slice(column - 2).search(/\S/u) + column - 2;
    return row !== undefined && row.text.slice(column - 2).trim() !== '' && (start === column || start === column + 2);
  };
  let first = at;
  let last = at;
  while (isOption(rows[first - 1])) first -= 1;
  while (isOption(rows[last + 1])) last += 1;
  const options: DialogOption[] = [];
  for (let row = first; row <= last; row += 1) {
    options.push({ label: shortened((rows[row]?.text ?? '').slice(column)), highlighted: row === at });
  }
  return { options, first, highlighted: at, last };
}

function shortened(label: string): string {
  return (label.trim().split(LABEL_END)[0] ?? '').trim();
}
