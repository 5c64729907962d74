/** How far is the clock of a machine from the one here, by one reading of it? */

/**
 * The machine read its clock between two moments of ours.
 *
 * @param text Seconds, with their parts where the system tells them.
 * @returns milliseconds by which the other clock is ahead; 0 while the reading cannot tell.
 */
export function offsetOf(text: string, { before, after }: { before: number; after: number }): number {
  const isExact = /^\d+\.\d+$/u.test(text);
  const theirs = Number.parseFloat(text) * 1000;
  if (Number.isNaN(theirs)) return 0;
  const between = (before + after) / 2;
  // A time in whole seconds may be up to a second older than it says.
  const offset = isExact ? theirs - between : theirs + 500 - between;
  return Math.abs(offset) <= (after - before) / 2 + (isExact ? 0 : 500) ? 0 : Math.round(offset);
}
