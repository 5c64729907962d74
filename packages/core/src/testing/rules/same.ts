/** Compares values field by field. Much cheaper than an assertion, of which a property makes millions. */

/** Compares two values of JSON. A field that is there with no value differs from one that is not there. */
export function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (!isObject(one) || !isObject(other) || Array.isArray(one) !== Array.isArray(other)) return false;
  const names = Object.keys(one);
  const otherNames = Object.keys(other);
  if (names.length !== otherNames.length) return false;
  // The fields mostly stand in the same order, and looking each up by its name would take ten times as long.
  if (!names.every((name, index) => name === otherNames[index])) return isSameByName(one, other, names);
  const values = Object.values(other);
  return Object.values(one).every((value, index) => value === values[index] || isSame(value, values[index]));
}

function isSameByName(one: Fields, other: Fields, names: readonly string[]): boolean {
  return names.every((name) => Object.hasOwn(other, name) && isSame(one[name], other[name]));
}

type Fields = Record<string, unknown>;

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** Returns the names of the fields in which two objects differ, for messages. */
export function differences(one: object, other: object): string {
  const [left, right] = [new Map(Object.entries(one)), new Map(Object.entries(other))];
  const names = [...new Set([...left.keys(), ...right.keys()])];
  return names
    .filter((name) => !isSame(left.get(name), right.get(name)))
    .map((name) => `${name}: ${JSON.stringify(left.get(name))} and ${JSON.stringify(right.get(name))}`)
    .join('; ');
}

/** Freezes a value with everything in it, so that writing to it fails. @returns the value. */
export function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  for (const inner of Object.values(value)) frozen(inner);
  return Object.freeze(value);
}
