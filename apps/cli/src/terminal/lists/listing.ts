/** Prints lists: the same columns under a header each time, names alone with `--quiet`, data with `--json`. */
import type { Page } from '../../program/answer.ts';
import type { Surroundings } from '../../surroundings.ts';
import { paint, table } from '../style.ts';

/** A column of a list. The last one takes the room that the others leave, and is cut at the terminal's edge. */
export interface Column<T> {
  /** Header, in capitals. */
  readonly name: string;
  readonly of: (row: T, page: Page) => string;
  /** Shown with `--wide` alone. */
  readonly isWide?: true;
}

/** Form of a list. */
export interface Listing<T> {
  /** Sentence for a list without rows. */
  readonly empty: string;
  readonly columns: readonly Column<T>[];
  /** Name that other commands take, for `--quiet`. */
  readonly nameOf: (row: T) => string;
  /** Lines below the table. */
  readonly below?: (rows: readonly T[], page: Page) => readonly string[];
}

/** Formats a list as a table with a header. */
export function listingText<T>(rows: readonly T[], { empty, columns, below }: Listing<T>, page: Page): string {
  if (rows.length === 0) return empty;
  const { colours, columns: room, wide } = page.terminal;
  const shown = columns.filter(({ isWide }) => isWide !== true || wide);
  const head = shown.map(({ name }) => paint(name, 'dim', colours));
  const cells = rows.map((row) => shown.map(({ of }) => of(row, page)));
  return [table([head, ...cells], wide ? Number.POSITIVE_INFINITY : room), ...(below?.(rows, page) ?? [])].join('\n');
}

/** Prints a list in the wanted form. */
export function answerList<T extends object>(
  { terminal, now }: Surroundings,
  rows: readonly T[],
  listing: Listing<T>,
): void {
  if (terminal.json) terminal.out(JSON.stringify(rows));
  else if (terminal.quiet) for (const row of rows) terminal.out(listing.nameOf(row));
  else terminal.out(listingText(rows, listing, { now: now(), terminal }));
}
