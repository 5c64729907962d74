/** Keeps a watched screen as its frames change it. */
import type { ScreenMessage } from '@drover/protocol';
import { runsOf } from './colours.ts';
import type { Run } from './colours.ts';

/** A row of a watched screen. */
export interface Row {
  /** Names the row for as long as it is on the screen, also when the screen scrolls. */
  readonly key: number;
  /** As its machine told it, colours included. */
  readonly told: string;
  readonly runs: readonly Run[];
  /** Columns that hold more than blanks and long rules. */
  readonly columns: number;
}

/** A watched screen. Rows that did not change, or only moved, stay the same objects. */
export type Screen =
  | { readonly kind: 'connecting' }
  | {
      readonly kind: 'shown';
      readonly frame: number;
      readonly columns: number;
      readonly rows: readonly Row[];
    }
  /** Nothing more comes. */
  | { readonly kind: 'ended'; readonly code: string; readonly message: string };

/** Empty rows in a row that are shown: agents draw at the top and at the bottom of tall panes. */
const EMPTY_ROWS_MAX = 2;

/** Leaves out most of the empty rows. */
export function withoutGaps(rows: readonly Row[]): readonly Row[] {
  let empty = 0;
  return rows.filter(({ runs }) => {
    empty = runs.every(({ text }) => text.trim() === '') ? empty + 1 : 0;
    return empty <= EMPTY_ROWS_MAX;
  });
}

/** Characters of a drawn rule that is wide enough; panes have hundreds of columns, and a wrapped rule is a thicket. */
const RULE_CHARS_MAX = 60;
const RULE = /([─━═▔▁╌_-])\1{59,}/gu;

/** Shortens drawn rules. */
export function withoutRules(text: string): string {
  return text.replaceAll(RULE, (rule) => rule.slice(0, RULE_CHARS_MAX));
}

export function columnsUsed(rows: readonly Row[]): number {
  return Math.max(1, ...rows.map(({ columns }) => columns));
}

/** Takes a message of the machine. A frame tells the rows that differ from those of the frame before. */
export function takeScreen(screen: Screen, message: ScreenMessage): Screen {
  if (message.kind === 'ended') return { kind: 'ended', code: message.code, message: message.message };
  if (message.kind !== 'frame') return screen;
  const { frame, columns, rows: count, changed } = message;
  const before = screen.kind === 'shown' ? screen.rows : [];
  const told = Array.from({ length: count }, (_, at) => before[at]?.told ?? '');
  for (const [row, text] of changed) if (row < count) told[row] = text;
  return { kind: 'shown', frame, columns, rows: rowsOf(told, before) };
}

/** Finds each row among those before it: most rows of a screen that scrolls have moved, and a browser draws only new ones. */
function rowsOf(told: readonly string[], before: readonly Row[]): readonly Row[] {
  const left = Map.groupBy(before, (row) => row.told);
  let key = Math.max(-1, ...before.map((row) => row.key));
  return told.map((text) => left.get(text)?.shift() ?? rowOf(text, (key += 1)));
}

function rowOf(told: string, key: number): Row {
  const runs = runsOf(told);
  const columns = withoutRules(runs.map(({ text }) => text).join('')).trimEnd().length;
  return { key, told, runs, columns };
}
