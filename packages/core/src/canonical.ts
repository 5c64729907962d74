/** Compares two values regardless of the order of their keys, because a database returns an object in an order of its own. */

/** Returns JSON with the keys of every object in one order and without undefined keys: equal for values that JSON cannot tell apart. */
export function canonical(value: unknown): string {
  // Every decision of a coordinator comes through here, so the value becomes one text, not one for each part.
  return JSON.stringify(inOrder(value)) ?? 'null';
}

/** Orders keys by their texts, except whole numbers, which an object always has first. */
function inOrder(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(inOrder);
  const object = value as Readonly<Record<string, unknown>>;
  const ordered: Record<string, unknown> = {};
  for (const key of sorted(Object.keys(object))) ordered[key] = inOrder(object[key]);
  return ordered;
}

/** Number of keys from which `sort` is faster. */
const FEW = 40;

/** Sorts in place. A few keys are inserted one by one: `sort`, which checks the type of each, takes twice as long with them. */
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
