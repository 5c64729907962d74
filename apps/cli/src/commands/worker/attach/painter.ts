/**
 * Paints the screen of a pane from the frames of a remote machine. The machine is not trusted: of its rows only text
 * and colours reach the terminal, and invisible characters or those that turn the direction of text are left out.
 */
import type { ScreenFrame } from '@drover/protocol';
import { parseAnsi, rowText, type Row, type Run } from '@drover/screen';

/** The size of a person's terminal, whose last row is the status. */
export interface Size {
  readonly columns: number;
  readonly rows: number;
}

const BEGIN = '\u001b[?2026h\u001b[?25l';
const END = '\u001b[?2026l';

/** Keeps the content of the pane. Methods return text for the terminal. */
export class Painter {
  #lines: Row[] = [];
  #cursor: ScreenFrame['cursor'] = null;
  #status = '';
  #size: Size;
  /** The first row and the size of the painted part; null: everything must be painted. */
  #painted: { readonly top: number } | null = null;

  constructor(size: Size) {
    this.#size = size;
  }

  /** Paints a new frame of the machine. */
  frame({ rows, changed, cursor }: ScreenFrame): string {
    if (this.#lines.length !== rows) this.#lines = Array.from({ length: rows }, (_, row) => this.#lines[row] ?? EMPTY);
    const fresh = new Set<number>();
    for (const [row, text] of changed) {
      if (row >= rows) continue;
      this.#lines[row] = parseAnsi(text)[0] ?? EMPTY;
      fresh.add(row);
    }
    this.#cursor = cursor;
    return this.#paint(fresh);
  }

  /** Paints the last row, which holds no sequences. */
  status(text: string): string {
    if (text === this.#status) return '';
    this.#status = text;
    return BEGIN + this.#statusRow() + this.#cursorPlace() + END;
  }

  /** Paints for another size of the terminal. */
  resize(size: Size): string {
    this.#size = size;
    this.#painted = null;
    return this.#paint(new Set());
  }

  #paint(fresh: ReadonlySet<number>): string {
    const top = this.#top();
    const isAll = this.#painted?.top !== top;
    this.#painted = { top };
    let text = BEGIN;
    for (let at = 0; at < this.#height(); at += 1) {
      const row = top + at;
      if (!isAll && !fresh.has(row)) continue;
      text += `${place(0, at)}\u001b[0m\u001b[2K${shown(this.#lines[row] ?? EMPTY, this.#size.columns)}`;
    }
    return text + (isAll ? this.#statusRow() : '') + this.#cursorPlace() + END;
  }

  #height(): number {
    return Math.max(1, this.#size.rows - 1);
  }

  /** Finds the first visible row. If the pane is higher than the terminal, the part with the cursor is shown; without a cursor, the end. */
  #top(): number {
    const over = this.#lines.length - this.#height();
    if (over <= 0) return 0;
    const bottom = this.#cursor?.y ?? this.#lines.length - 1;
    return Math.max(0, Math.min(over, bottom - this.#height() + 1));
  }

  #statusRow(): string {
    const { columns, rows } = this.#size;
    const row = { text: this.#status, runs: [{ at: 0, text: this.#status, style: STATUS_STYLE }] };
    return `${place(0, rows - 1)}\u001b[0m\u001b[2K${shown(row, columns)}`;
  }

  #cursorPlace(): string {
    const cursor = this.#cursor;
    if (cursor === null) return '';
    const y = cursor.y - this.#top();
    if (y < 0 || y >= this.#height() || cursor.x >= this.#size.columns) return '';
    return `${place(cursor.x, y)}\u001b[?25h`;
  }
}

const EMPTY: Row = { text: '', runs: [] };
const STATUS_STYLE: Run['style'] = {
  fg: 'default',
  bg: 'default',
  bold: false,
  dim: false,
  italic: false,
  underline: false,
  reverse: true,
  strike: false,
};

function place(x: number, y: number): string {
  return `\u001b[${y + 1};${x + 1}H`;
}

// A joiner within an emoji is dropped too; without a joiner the emoji becomes two, which still have the width that they have in the pane.
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;
const WIDE =
  /^(?:\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{1f300}-\u{1faff}]|[\u{20000}-\u{3fffd}])/u;
const NARROW = /^\p{Mn}/u;

/** Cuts a row to the terminal's width. */
function shown({ text, runs }: Row, columns: number): string {
  let room = columns;
  const kept: Run[] = [];
  for (const run of runs) {
    let piece = '';
    for (const char of run.text.replaceAll(UNSEEN, '')) {
      const width = NARROW.test(char) ? 0 : WIDE.test(char) ? 2 : 1;
      if (width > room) {
        room = 0;
        break;
      }
      room -= width;
      piece += char;
    }
    if (piece !== '') kept.push({ ...run, text: piece });
    if (room === 0) break;
  }
  return rowText({ text, runs: kept });
}
