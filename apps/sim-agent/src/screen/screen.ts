// Writes frames to the terminal: only changed rows, and not more often than a screen can be looked at.

import type { Clock } from '@drover/base';
import { paint } from './paint.ts';
import type { Size, View } from './view.ts';

/** The terminal, as far as painting goes. */
export interface Terminal {
  readonly size: () => Size;
  readonly write: (text: string) => void;
}

/** Alternate screen, hidden cursor, mouse reports: what the real program's full-screen renderer asks for. */
const ENTER = '\u001B[?1049h\u001B[2J\u001B[?1000h\u001B[?1002h\u001B[?1003h\u001B[?1006h';
/** Hidden cursor and bracketed paste, from the first dialog on. */
const BEGIN = '\u001B[?25l\u001B[?2004h';
const LEAVE = '\u001B[?2004l\u001B[?1006l\u001B[?1003l\u001B[?1002l\u001B[?1000l\u001B[?1049l\u001B[?25h\u001B[0m';
/** Milliseconds between two frames, at least. */
const FRAME_MS = 16;

/** Paints views. Owns the animation's timer; `close` ends it. */
export class Screen {
  readonly #terminal: Terminal;
  readonly #clock: Clock;
  readonly #tickMs: number;
  #view: View | undefined;
  #painted: readonly string[] = [];
  #lastFrameAt = 0;
  #pending: (() => void) | undefined;
  #state: 'open' | 'frozen' | 'closed' = 'open';

  constructor(terminal: Terminal, clock: Clock, tickMs: number) {
    this.#terminal = terminal;
    this.#clock = clock;
    this.#tickMs = Math.max(FRAME_MS, tickMs);
    terminal.write(BEGIN);
  }

  /** Asks for this view to be painted soon. */
  show(view: View): void {
    this.#view = view;
    this.#schedule(Math.max(0, this.#lastFrameAt + FRAME_MS - this.#clock.now()));
  }

  /** Takes the whole screen and paints it at once. */
  enter(): void {
    this.#terminal.write(ENTER);
    this.redraw();
  }

  /** Forgets what is on the screen, after a resize. */
  redraw(): void {
    this.#painted = [];
    if (this.#view !== undefined) this.show(this.#view);
  }

  /** Stops painting, for good, with the last frame left standing. */
  freeze(): void {
    this.#paintNow();
    this.#stop('frozen');
  }

  /** Stops painting. @param restore gives the screen and the terminal's modes back. */
  close(restore: boolean): void {
    this.#stop('closed');
    if (restore) this.#terminal.write(LEAVE);
  }

  #stop(state: 'frozen' | 'closed'): void {
    this.#state = state;
    this.#pending?.();
    this.#pending = undefined;
  }

  #schedule(ms: number): void {
    if (this.#pending !== undefined || this.#state !== 'open') return;
    this.#pending = this.#clock.after(ms, () => {
      this.#pending = undefined;
      this.#paintNow();
    });
  }

  #paintNow(): void {
    if (this.#view === undefined || this.#state !== 'open') return;
    const now = this.#clock.now();
    this.#lastFrameAt = now;
    const frame = paint(this.#view, this.#terminal.size(), { now, tick: Math.floor(now / this.#tickMs) });
    const whole = this.#painted.length !== frame.rows.length;
    let out = whole ? '\u001B[0m\u001B[2J' : '';
    for (const [index, row] of frame.rows.entries()) {
      if (whole || row !== this.#painted[index]) out += `\u001B[${index + 1};1H${row}\u001B[K`;
    }
    this.#painted = frame.rows;
    if (out !== '') this.#terminal.write(`${out}\u001B[${frame.cursor.y + 1};${frame.cursor.x + 1}H`);
    if (this.#view.spinner !== undefined && this.#view.spinner.kind !== 'silent') this.#schedule(this.#tickMs);
  }
}
