/** Are two values the same, whatever the order of their keys? A database gives an object back in an order of its own. */

/**
 * JSON with the keys of every object sorted and without those that are undefined: equal for values that JSON cannot tell
 * apart, whatever way they took.
 */
export function canonical(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  // Loops rather than chains of arrays: every decision of a coordinator comes through here.
  let text = '';
  if (Array.isArray(value)) {
    for (const item of value) text += `${text === '' ? '' : ','}${canonical(item)}`;
    return `[${text}]`;
  }
  const inner = new Map(Object.entries(value));
  for (const key of [...inner.keys()].toSorted()) {
    const part = inner.get(key);
    if (part !== undefined) text += `${text === '' ? '' : ','}${JSON.stringify(key)}:${canonical(part)}`;
  }
  return `{${text}}`;
}
