/** Compares two values regardless of the order of their keys, because a database returns an object in an order of its own. */

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
  for (const key of sorted(Object.keys(object))) ordered[key] = inOrder(object[key]);
  return ordered;
}

/** From so many on, `sort` is faster. */
const FEW = 40;

/** Sorts in place. Few are put in one by one: `sort`, which asks what each of them is, takes twice as long with them. */
function sorted(keys: string[]): readonly string[] {
  if (keys.length > FEW) return keys.sort();
  for (let at = 1; at < keys.length; at += 1) {
    const key = keys[at] as string;
    let to = at;
    for (; to > 0; to -= 1) {
      const before = keys[to - 1] as string;
      if (before <= key) break;
      keys[to] = before;
    }
    keys[to] = key;
  }
  return keys;
}
