// Tests whether people are reached at a place, in memory: the same as sql/channels/place-tests.ts.
import { PLACE_TEST_MS } from '../../../port/channels.ts';
import type { PlaceTest, PlaceTestEnd } from '../../../port/channels.ts';
import type { MemoryDatabase } from '../engine/database.ts';

/** Begins tests; old ones go. */
export function beginPlaceTests(db: MemoryDatabase, tests: readonly PlaceTest[], now: number): void {
  for (const [id, { createdAt }] of db.placeTests) if (createdAt < now - 3_600_000) db.remove(db.placeTests, id);
  for (const one of tests) if (!db.placeTests.has(one.id)) db.put(db.placeTests, one.id, { ...one, isGiven: false });
}

/** Takes those of a channel that no bot has taken and that somebody waits for. */
export function takePlaceTests(db: MemoryDatabase, channel: string, now: number): readonly PlaceTest[] {
  const taken = [...db.placeTests.values()].filter(
    (one) => one.channel === channel && !one.isGiven && one.createdAt > now - PLACE_TEST_MS,
  );
  for (const one of taken) db.put(db.placeTests, one.id, { ...one, isGiven: true });
  return taken.map(toTest);
}

/** The first end counts. @returns whether there is such a test. */
export function endPlaceTest(db: MemoryDatabase, id: string, end: PlaceTestEnd): boolean {
  const known = db.placeTests.get(id);
  if (known?.end === null) db.put(db.placeTests, id, { ...known, end });
  return known !== undefined;
}

/** Null: there is none, or it is too long ago. */
export function readPlaceTest(db: MemoryDatabase, id: string): PlaceTest | null {
  const known = db.placeTests.get(id);
  return known === undefined ? null : toTest(known);
}

function toTest({ isGiven: _isGiven, ...one }: PlaceTest & { readonly isGiven: boolean }): PlaceTest {
  return one;
}
