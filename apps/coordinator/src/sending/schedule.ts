/** Decides when a failed send is tried again, and when it is given up. */

/** The outcome of a try. */
export type Verdict =
  | { readonly kind: 'taken' }
  /** Temporary. `afterMs`: the wait that the other side asks for; null: it does not say. */
  | { readonly kind: 'again'; readonly why: string; readonly afterMs: number | null }
  /** Trying again is of no use. */
  | { readonly kind: 'never'; readonly why: string };

/** The next step after a try. `dead`: the message is kept, shown to people, and sent again only when a person says so. */
export type Next =
  | { readonly kind: 'done' }
  | { readonly kind: 'wait'; readonly until: number }
  | { readonly kind: 'dead' };

/** Waits differ by so much, so that what failed together does not come back together. */
const SPREAD = 0.1;

/** Facts about the tries so far. */
export interface Tried {
  /** Tries that failed before this one. */
  readonly failures: number;
  /** The time before each further try, in milliseconds; after the last one it is given up. */
  readonly waitsMs: readonly number[];
  readonly now: number;
  /** In [0, 1). */
  readonly chance: number;
}

/** Picks the next step. A longer wait that the other side asks for is kept. */
export function nextTry(verdict: Verdict, { failures, waitsMs, now, chance }: Tried): Next {
  if (verdict.kind === 'taken') return { kind: 'done' };
  const planned = waitsMs[failures];
  if (verdict.kind === 'never' || planned === undefined) return { kind: 'dead' };
  const waitMs = Math.max(verdict.afterMs ?? 0, planned * (1 - SPREAD + 2 * SPREAD * chance));
  return { kind: 'wait', until: now + Math.round(waitMs) };
}

/** Waits that double from the first to the longest, until all of them together last so long. In milliseconds. */
export function doublingWaits({
  firstMs,
  longestMs,
  wholeMs,
}: Readonly<Record<'firstMs' | 'longestMs' | 'wholeMs', number>>): readonly number[] {
  const waits: number[] = [];
  for (let [next, whole] = [firstMs, 0]; whole < wholeMs; next = Math.min(longestMs, next * 2)) {
    waits.push(next);
    whole += next;
  }
  return waits;
}
