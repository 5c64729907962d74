/** Are two values the same, down to the last field? Much cheaper than an assertion, of which a property makes millions. */

/** Whether two values of JSON are the same. A field that is there with no value differs from one that is not there. */
export function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (!isObject(one) || !isObject(other) || Array.isArray(one) !== Array.isArray(other)) return false;
  let fields = 0;
  for (const key in one) {
    if (!(key in other) || !isSame(one[key], other[key])) return false;
    fields += 1;
  }
  return Object.keys(other).length === fields;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** The names of the fields in which two objects differ, for messages. */
export function differences(one: object, other: object): string {
  const [left, right] = [new Map(Object.entries(one)), new Map(Object.entries(other))];
  const names = [...new Set([...left.keys(), ...right.keys()])];
  return names
    .filter((name) => !isSame(left.get(name), right.get(name)))
    .map((name) => `${name}: ${JSON.stringify(left.get(name))} and ${JSON.stringify(right.get(name))}`)
    .join('; ');
}

/** Freezes a value with everything in it, so that whoever writes to it fails. @returns the value. */
export function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  for (const inner of Object.values(value)) frozen(inner);
  return Object.freeze(value);
}
