/** Ids rise in the order of their making, whatever the clock does, and none comes twice. */
import { validate, version } from 'uuid';
import { expect, test } from 'vitest';
import { systemIds } from './ids-adapter.ts';

/** More ids than one supply of random bytes lasts for. */
const MANY = 1_000;
const FEW = 50;

test('given many ids of one millisecond, and of a clock that is set back, when they are made, then each is a UUIDv7 and comes after the one before', () => {
  const now = Date.now();
  const times = Array.from({ length: MANY }, (_, index) => (index % 3 === 2 ? now - index : now));

  const ids = times.map((at) => systemIds.uuid(at));

  expect(ids.toSorted()).toEqual(ids);
  expect(new Set(ids).size).toBe(MANY);
  expect(ids.every((id) => validate(id) && version(id) === 7)).toBe(true);
});

test('given ids of different milliseconds, when they are made, then what is random of them differs', () => {
  // Other tests of this process may have made ids of a later time, whose count would go on.
  const newest = millisecondsOf(systemIds.uuid());

  const ids = Array.from({ length: FEW }, (_, index) => systemIds.uuid(newest + 1 + index));

  expect(new Set(ids.map((id) => id.slice(-12))).size).toBe(FEW);
  expect(new Set(ids.map((id) => id.slice(14, 23))).size).toBeGreaterThan(FEW / 2);
});

/** Reads the epoch milliseconds in a UUIDv7's first 48 bits. */
function millisecondsOf(id: string): number {
  return Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);
}
