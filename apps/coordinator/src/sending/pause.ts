/** Pauses of a sender after a failed try. */

/** The first pause and the longest, in milliseconds. */
export interface Pauses {
  readonly firstMs: number;
  readonly longestMs: number;
}

/** The pause after so many failures before this one: it doubles each time. */
export function pauseAfter(failures: number, { firstMs, longestMs }: Pauses): number {
  return Math.min(longestMs, firstMs * 2 ** Math.min(failures, 20));
}
