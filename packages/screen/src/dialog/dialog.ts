/** Reads the dialog on the screen: its words, its options, and the place of the highlight. */
import type { Dialog, DialogOption } from '@drover/core';
import { styleAt } from '../ansi.ts';
import type { Row } from '../ansi.ts';
import { optionsAcross, optionsByBackground, optionsByMark } from './options.ts';
import type { FoundOptions } from './options.ts';
import type { DialogKind, Profile } from '../profile/schema.ts';
import { withoutAside } from '../regions.ts';
import { trustOf } from './trust.ts';
import { styleMatches } from '../style-test.ts';

/** A dialog that was found, with the rule that named it. */
export interface FoundDialog {
  readonly dialog: Dialog;
  readonly rule: string;
  /** Index of its first row. */
  readonly top: number;
  /** Index of the row with the highlight; of the last row when it has none. */
  readonly at: number;
}

/** Rows above the highlight that can belong to a dialog without a top line. Source: the tallest recorded (a diff of 25 rows). */
const TALLEST = 30;
/** A bare dialog's hint stands in the last rows of the screen. */
const BARE_ROWS = 6;

/**
 * The lowest dialog, or null.
 *
 * @param below The last row of the composer, if there is one: the dialog must stand under it and have options.
 */
export function findDialog(
  profile: Profile,
  rows: readonly Row[],
  { below, cursorRow }: { below: number | null; cursorRow: number | null },
): FoundDialog | null {
  const from = below === null ? 0 : below + 1;
  const form = below === null ? formDialog(profile, rows) : null;
  if (form !== null) return form;
  return withOptions(profile, rows, { from, cursorRow }) ?? (below === null ? bareDialog(profile, rows) : null);
}

/** A form, in which Drover can fill in nothing, and only presses the key that its hint names. */
function formDialog(profile: Profile, rows: readonly Row[]): FoundDialog | null {
  const { at, text } = lastHint(rows);
  const row = rows[at];
  const bare = row === undefined ? undefined : bareIn(profile, row, text);
  const label = bare?.matches.exec(text)?.groups?.['label'];
  if (bare === undefined || label === undefined) return null;
  const top = topOf(profile, rows, { first: at, highlighted: at });
  const words = rows.slice(top, at).map((one) => unframed(profile, one.text));
  const [title = '', ...body] = withoutHeading(profile, words.filter(hasWords));
  const options = [{ label, highlighted: false, dismisses: true }];
  return { dialog: { kind: bare.kind, title, body: body.join('\n'), options }, rule: `dialog-${bare.kind}`, top, at };
}

/** The last words of the screen, which a narrow pane breaks into several rows, and the first of these. A rule may stand under them. */
function lastHint(rows: readonly Row[]): { readonly at: number; readonly text: string } {
  const last = rows.findLastIndex(({ text }) => hasWords(text));
  const at = rows.findLastIndex(({ text }, index) => index < last && !hasWords(text)) + 1;
  const [first = '', ...rest] = rows.slice(at, last + 1).map(({ text }) => text);
  return { at, text: [first, ...rest.map((line) => line.trim())].join(' ') };
}

function hasWords(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text);
}

function withOptions(
  profile: Profile,
  rows: readonly Row[],
  { from, cursorRow }: { from: number; cursorRow: number | null },
): FoundDialog | null {
  const found =
    optionsByMark(profile, rows, from) ??
    optionsAcross(profile, rows, from) ??
    optionsByBackground(profile, rows, from);
  if (found === null || (profile.screen.dialog.closed && !isClosed(profile, rows, found))) return null;
  const top = topOf(profile, rows, found);
  const { cursorInside, submit } = profile.screen.dialog;
  // On the row that confirms a checklist the program leaves the cursor behind the dialog.
  const isBehind = submit?.test(rows[found.highlighted]?.text ?? '') === true && (cursorRow ?? 0) > found.last;
  if (cursorInside && !isBehind && !holdsCursor(found, cursorRow)) return null;
  const words = rows.slice(top).map((row) => unframed(profile, row.text));
  const { kind, rule } = kindOf(profile, words.join('\n'));
  const before = withoutHeading(
    profile,
    words.slice(0, found.first - top).filter((line) => line !== ''),
  );
  const options = [...found.options, ...dismissing(profile, rows.slice(found.last + 1))];
  const title = before[0] ?? '';
  const body = [...subjectOf(profile, title, rows.slice(0, top)), ...before.slice(1)].join('\n');
  const dialog: Dialog = { kind, title, body, options };
  const trust = OF_A_TURN.has(kind) ? null : trustOf(profile, dialog);
  return {
    dialog: trust === null ? dialog : { ...dialog, trust },
    rule,
    top,
    at: found.highlighted,
  };
}

/** The words above a dialog that it asks about, such as a plan; all that shows, where they begin above the screen. */
function subjectOf(profile: Profile, title: string, above: readonly Row[]): readonly string[] {
  const { subject } = profile.screen.dialog;
  if (subject?.of.test(title) !== true) return [];
  const first = above.findLastIndex(({ text }) => subject.from.test(text));
  const words = above.slice(first + 1).filter(({ text }) => !subject.ends.test(text));
  return words.map(({ text }) => unframed(profile, text)).filter((line) => line !== '');
}

/** The option that a key gives, if the words under the dialog name it. */
function dismissing({ screen }: Profile, rows: readonly Row[]): readonly DialogOption[] {
  const label = rows.map(({ text }) => screen.dialog.dismissed?.exec(text)?.groups?.['label']).find(Boolean);
  return label === undefined ? [] : [{ label, highlighted: false, dismisses: true }];
}

/** Kinds of dialogs in which the agent speaks, not its program. */
const OF_A_TURN: ReadonlySet<DialogKind> = new Set(['permission', 'question']);

/** People are asked what the question says, not what its page is called. */
function withoutHeading({ screen }: Profile, [first = '', ...rest]: readonly string[]): readonly string[] {
  return rest.length > 0 && screen.dialog.heading?.test(first) === true ? rest : [first, ...rest];
}

/** A cursor outside the options belongs to something else: the options are printed, or were left by an earlier run. */
function holdsCursor({ first, last }: FoundOptions, cursorRow: number | null): boolean {
  return cursorRow === null || (cursorRow >= first && cursorRow <= last);
}

function bareDialog(profile: Profile, rows: readonly Row[]): FoundDialog | null {
  const last = rows.findLastIndex((row) => row.text !== '');
  for (let at = last; at >= Math.max(last - BARE_ROWS + 1, 0); at -= 1) {
    const row = rows[at];
    const bare = row === undefined ? undefined : bareIn(profile, row, row.text);
    if (row !== undefined && bare !== undefined) {
      const dialog: Dialog = { kind: bare.kind, title: unframed(profile, row.text), body: '', options: [] };
      return { dialog, rule: `dialog-${bare.kind}`, top: at, at };
    }
  }
  return null;
}

/** @param text The words of the row, and of those that go on with it. */
function bareIn({ screen }: Profile, row: Row, text: string): Profile['screen']['dialog']['bare'][number] | undefined {
  return screen.dialog.bare.find(({ matches, style }) => {
    const match = matches.exec(text);
    return (
      match !== null && (style === undefined || styleMatches(style, styleAt(row, match.index + match[0].search(/\S/u))))
    );
  });
}

/** The row on which the dialog starts: its top line, else the first row after the conversation. */
function topOf(
  profile: Profile,
  rows: readonly Row[],
  { first, highlighted }: Pick<FoundOptions, 'first' | 'highlighted'>,
): number {
  const { topIsTitle } = profile.screen.dialog;
  const lowest = Math.max(0, first - TALLEST);
  // Its last row, which no command can draw, tells a form: a line of a command may look like the first.
  const isForm = profile.screen.dialog.formHint?.test(lastHint(rows).text) === true;
  for (let at = Math.min(first, highlighted); at >= lowest; at -= 1) {
    const row = rows[at];
    if (row !== undefined && isForm && isFirst(profile, row)) return at;
    const found = row === undefined ? null : topIn(profile, row);
    if (found !== null) return topIsTitle || found.groups?.['title'] !== undefined ? at : at + 1;
  }
  const blocks = rows.slice(lowest, first).findLastIndex((row) => profile.screen.block.test(row.text));
  return lowest + blocks + 1;
}

/** Tells whether a row is a heading with which a form begins. */
function isFirst(profile: Profile, row: Row): boolean {
  return profile.screen.dialog.heading?.exec(unframed(profile, row.text))?.groups?.['first'] !== undefined;
}

/** Match of a row that is the first of a dialog; null: it is not one. */
function topIn({ screen }: Profile, row: Row): RegExpExecArray | null {
  const { top, topStyle } = screen.dialog;
  const isStyled = topStyle === undefined || styleMatches(topStyle, styleAt(row, row.text.search(/\S/u)));
  return isStyled ? top.exec(row.text) : null;
}

function isClosed(profile: Profile, rows: readonly Row[], { first, last }: FoundOptions): boolean {
  const isRule = (row: Row): boolean => topIn(profile, row) !== null;
  return rows.slice(Math.max(0, first - TALLEST), first).some(isRule) && rows.slice(last + 1).some(isRule);
}

/** A narrow pane breaks a dialog's words anywhere: they are read as one line. */
function kindOf(profile: Profile, words: string): { kind: DialogKind; rule: string } {
  const line = words.replace(/\s+/gu, ' ');
  const named = profile.screen.dialog.kinds.find(({ matches }) => matches.test(line));
  return named === undefined ? { kind: 'other', rule: 'dialog-other' } : { kind: named.kind, rule: named.id };
}

/** Letters at the right end of a framed row. */
const FRAME: ReadonlySet<string> = new Set([' ', '\u00a0', '│', '┃']);

/** The words of a row without the frame around it and what stands beside it. */
function unframed(profile: Profile, text: string): string {
  const words = withoutAside(profile, text).replace(profile.screen.dialog.frame, '');
  let end = words.length;
  while (end > 0 && FRAME.has(words.charAt(end - 1))) end -= 1;
  return words.slice(0, end).trim();
}
