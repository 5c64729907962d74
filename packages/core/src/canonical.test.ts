/** Recognizes a value that a database returns with its keys in another order. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonical } from './canonical.ts';

test('given an object with keys in any order at any depth, when it is written, then its keys are sorted and nothing undefined is left', () => {
  const given = { zone: 'UTC', 'a "key"': [{ to: 1, at: null, none: undefined }, undefined], empty: {} };

  const when = canonical(given);

  expect(when).toBe(`{"a \\"key\\"":[{"at":null,"to":1},null],"empty":{},"zone":"UTC"}`);
});

test('given any value of JSON, when its keys are turned around, then it is written the same, and reads the same', () => {
  fc.assert(
    fc.property(fc.jsonValue().filter(hasPlainKeys), (value) => {
      expect(canonical(turned(value))).toBe(canonical(value));
      expect(JSON.parse(canonical(value))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
    { numRuns: 1_000 },
  );
});

test('given few keys or many, when they are written, then their order is that of their texts, whole numbers first', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.nat(), { maxKeys: 60, size: 'max' }).filter(hasPlainKeys), (value) => {
      const inOrder = Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)));
      expect(canonical(value)).toBe(JSON.stringify(inOrder));
    }),
    { numRuns: 1_000 },
  );
});

/** Only the key `__proto__` is no key of a plain object; nothing of Drover has it. */
function hasPlainKeys(value: unknown): boolean {
  return !JSON.stringify(value).includes('__proto__');
}

function turned(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(turned);
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, part]) => [key, turned(part)]),
  );
}
