/** How is a page kept on the terminal's screen, without flicker, and the screen given back as it was? */
import { cut } from './output/style.ts';
import type { Terminal } from './terminal.ts';

const ENTER = '\u001b[?1049h\u001b[?25l';
const LEAVE = '\u001b[?25h\u001b[?1049l';
const HOME = '\u001b[H';
const CLEAR_LINE = '\u001b[K';
const CLEAR_BELOW = '\u001b[J';

/** The terminal's second screen, while it is open. */
export interface Screen extends Disposable {
  /** Shows a page from the top; what does not fit is counted. */
  draw(text: string): void;
}

/** Opens the second screen; disposing goes back to the first, which was not touched. */
export function openScreen(terminal: Terminal): Screen {
  terminal.raw(ENTER);
  return {
    draw: (text) => terminal.raw(frame(text, terminal)),
    [Symbol.dispose]: () => terminal.raw(LEAVE),
  };
}

/** One write for a whole page: lines are overwritten in place, so nothing blinks. */
export function frame(text: string, { columns, rows }: Pick<Terminal, 'columns' | 'rows'>): string {
  const lines = text.split('\n');
  const fits = lines.length <= rows;
  const shown = fits ? lines : [...lines.slice(0, rows - 1), `… and ${lines.length - rows + 1} more lines`];
  return HOME + shown.map((line) => cut(line, columns) + CLEAR_LINE).join('\r\n') + CLEAR_BELOW;
}
