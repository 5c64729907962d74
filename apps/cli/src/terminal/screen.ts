/** Keeps a page on the terminal's screen, and restores the previous screen. */
import { cut } from './style.ts';
import type { Terminal } from './terminal.ts';

/** The terminal's second screen, while it is open. */
export interface Screen extends Disposable {
  /** Shows a page from the top, with a count of the lines that do not fit. */
  draw(text: string): void;
}

/** Opens the second screen; disposing goes back to the first. */
export function openScreen(terminal: Terminal): Screen {
  terminal.enterScreen();
  return {
    draw: (text) => terminal.drawLines(fitLines(text, terminal)),
    [Symbol.dispose]: () => terminal.leaveScreen(),
  };
}

/** Cuts a page to the lines that fit. */
export function fitLines(text: string, { columns, rows }: Pick<Terminal, 'columns' | 'rows'>): readonly string[] {
  const lines = text.split('\n');
  const fits = lines.length <= rows;
  const shown = fits ? lines : [...lines.slice(0, rows - 1), `… and ${lines.length - rows + 1} more lines`];
  return shown.map((line) => cut(line, columns));
}
