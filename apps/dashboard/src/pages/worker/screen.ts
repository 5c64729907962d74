/** Keeps a watched screen as its frames change it. */
import type { ScreenMessage } from '@drover/protocol';
import { runsOf } from './colours.ts';
import type { Run } from './colours.ts';

/** A watched screen. Rows that did not change stay the same objects. */
export type Screen =
  | { readonly kind: 'connecting' }
  | {
      readonly kind: 'shown';
      readonly frame: number;
      readonly columns: number;
      readonly rows: readonly (readonly Run[])[];
    }
  /** Nothing more comes. */
  | { readonly kind: 'ended'; readonly code: string; readonly message: string };

const NO_RUNS: readonly Run[] = [];

/** Empty rows in a row that are shown: agents draw at the top and at the bottom of tall panes. */
const EMPTY_ROWS_MAX = 2;

/** Leaves out most of the empty rows. */
export function withoutGaps(rows: readonly (readonly Run[])[]): readonly (readonly Run[])[] {
  let empty = 0;
  return rows.filter((runs) => {
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

/** Counts the columns that hold more than blanks and long rules. */
export function columnsUsed(rows: readonly (readonly Run[])[]): number {
  return Math.max(1, ...rows.map((runs) => withoutRules(runs.map(({ text }) => text).join('')).trimEnd().length));
}

/** Takes a message of the machine. A frame tells the rows that differ from those of the frame before. */
export function takeScreen(screen: Screen, message: ScreenMessage): Screen {
  if (message.kind === 'ended') return { kind: 'ended', code: message.code, message: message.message };
  if (message.kind !== 'frame') return screen;
  const { frame, columns, rows: count, changed } = message;
  const before = screen.kind === 'shown' ? screen.rows : [];
  const rows = Array.from({ length: count }, (_, at) => before[at] ?? NO_RUNS);
  for (const [row, text] of changed) if (row < count) rows[row] = runsOf(text);
  return { kind: 'shown', frame, columns, rows };
}
