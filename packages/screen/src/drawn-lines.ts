/** Lines that programs draw across their panes say nothing, and on a telephone they push the question off the screen. */

/** Lines only of signs that draw boxes and bars, at least four. */
const DRAWN = /^[\u2500-\u259F\s]{4,}$/u;

/** Tells whether a line of a pane is drawn, not written. */
export function isDrawn(line: string): boolean {
  return DRAWN.test(line);
}

/** A text without such lines. */
export function withoutDrawn(text: string): string {
  return text
    .split('\n')
    .filter((line) => !isDrawn(line))
    .join('\n');
}
