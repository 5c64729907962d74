/** Computes the pause until the next retry. */

/** Milliseconds of the first and of the longest pause. Source: docs/mechanics.md, one exchange. */
const FIRST_MS = 250;
const LONGEST_MS = 15_000;

/**
 * Exponential backoff with full jitter: any time up to the pause, so that many machines do not come together.
 *
 * @param failures Failures in a row, from 1. @param random A number in [0, 1).
 */
export function backoffMs(failures: number, random: number): number {
  const longest = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(failures - 1, 20));
  return Math.round(longest * random);
}
