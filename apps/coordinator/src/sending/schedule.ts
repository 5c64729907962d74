/** Decides when a failed send is retried, and when it is given up. */

/** Outcome of a try. */
export type Verdict =
  | { readonly kind: 'taken' }
  /** Temporary failure. `afterMs`: the wait that the other side asks for; null: the other side names none. */
  | { readonly kind: 'again'; readonly why: string; readonly afterMs: number | null }
  /** Permanent failure: a retry is of no use. */
  | { readonly kind: 'never'; readonly why: string };

/** Next step after a try. `dead`: the message is kept, shown to people, and sent again only when a person says so. */
export type Next =
  | { readonly kind: 'done' }
  | { readonly kind: 'wait'; readonly until: number }
  | { readonly kind: 'dead' };

/** Share by which waits differ, so that messages that failed together are not retried together. */
const SPREAD = 0.1;

/** Facts about the tries so far. */
export interface Tried {
  /** Tries that failed before this one. */
  readonly failures: number;
  /** Milliseconds before each retry; after the last one the message is given up. */
  readonly waitsMs: readonly number[];
  readonly now: number;
  /** Random number in [0, 1). */
  readonly chance: number;
}

/** Picks the next step. Keeps a longer wait that the other side asks for. */
export function nextTry(verdict: Verdict, { failures, waitsMs, now, chance }: Tried): Next {
  if (verdict.kind === 'taken') return { kind: 'done' };
  const planned = waitsMs[failures];
  if (verdict.kind === 'never' || planned === undefined) return { kind: 'dead' };
  const waitMs = Math.max(verdict.afterMs ?? 0, planned * (1 - SPREAD + 2 * SPREAD * chance));
  return { kind: 'wait', until: now + Math.round(waitMs) };
}

/** Builds waits that double from the first to the longest, until their sum reaches `wholeMs`. In milliseconds. */
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
