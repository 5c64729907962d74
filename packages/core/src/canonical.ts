/** Are two values the same, whatever the order of their keys? A database gives an object back in an order of its own. */

/**
 * JSON with the keys of every object in one order and without those that are undefined: equal for values that JSON cannot
 * tell apart, whatever way they took.
 */
export function canonical(value: unknown): string {
  // Every decision of a coordinator comes through here: one text is made of all, not one of each part.
  return JSON.stringify(inOrder(value)) ?? 'null';
}

/** The order is that of the texts of the keys, but for whole numbers, which an object always has first. */
function inOrder(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(inOrder);
  const object = value as Readonly<Record<string, unknown>>;
  const ordered: Record<string, unknown> = {};
  for (const key of Object.keys(object).toSorted()) ordered[key] = inOrder(object[key]);
  return ordered;
}
