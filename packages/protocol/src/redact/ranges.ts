/** Computes the ranges of a text that go. */

/** Range from the first character to the one behind the last. */
export type Range = readonly [from: number, to: number];

/** The same places in order, those that touch or overlap as one. */
export function merged(ranges: readonly Range[]): Range[] {
  const joined: [number, number][] = [];
  for (const [from, to] of ranges.toSorted(([a], [b]) => a - b)) {
    const last = joined.at(-1);
    if (last !== undefined && from <= last[1]) last[1] = Math.max(last[1], to);
    else joined.push([from, to]);
  }
  return joined;
}
