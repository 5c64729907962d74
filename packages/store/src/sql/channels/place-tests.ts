// Tests whether people are reached at a place.
import type { Selectable } from 'kysely';
import { PLACE_TEST_MS } from '../../port/channels.ts';
import type { PlaceTest, PlaceTestEnd } from '../../port/channels.ts';
import { send } from '../../connection/pipeline.ts';
import { instant } from '../../connection/values.ts';
import type { Database } from '../../tables/database.ts';
import type { Db } from '../db.ts';
import { change, find, insertion, KEEP } from '../steps/rows.ts';

/** Begins tests. Tests from an hour ago are removed. */
export async function beginPlaceTests(db: Db, tests: readonly PlaceTest[], now: number): Promise<void> {
  await send(db, db.deleteFrom('placeTests').where('createdAt', '<', instant(now - KEPT_MS)));
  const rows = tests.map(({ id, channel, address, by: triedBy, createdAt }) => ({
    id,
    channel,
    address,
    triedBy,
    createdAt,
  }));
  if (rows.length > 0) await send(db, insertion('placeTests', rows, KEEP));
}

/** A press may come so much later, in milliseconds. */
const KEPT_MS = 3_600_000;

/** Takes those of a channel that no bot has taken and that somebody waits for. Each is given once. */
export async function takePlaceTests(db: Db, channel: string, now: number): Promise<readonly PlaceTest[]> {
  const rows = await db
    .updateTable('placeTests')
    .set({ givenAt: instant(now) })
    .where('channel', '=', channel)
    .where('givenAt', 'is', null)
    .where('createdAt', '>', instant(now - PLACE_TEST_MS))
    .returningAll()
    .execute();
  return rows.map(toTest);
}

/** The first end counts. @returns whether there is such a test. */
export async function endPlaceTest(db: Db, id: string, end: PlaceTestEnd): Promise<boolean> {
  const error = end.kind === 'failed' ? end.error : null;
  await send(db, change('placeTests', { id, outcome: null }, { outcome: end.kind, error }));
  return (await readPlaceTest(db, id)) !== null;
}

/** Null: there is none, or it is too long ago. */
export async function readPlaceTest(db: Db, id: string): Promise<PlaceTest | null> {
  const row = await find(db, 'placeTests', { id });
  return row === null ? null : toTest(row);
}

function toTest(row: Selectable<Database['placeTests']>): PlaceTest {
  const { id, channel, address, triedBy, createdAt, outcome, error } = row;
  const end: PlaceTestEnd | null =
    outcome === null ? null : outcome === 'shown' ? { kind: 'shown' } : { kind: 'failed', error: error ?? '' };
  return { id, channel, address, by: triedBy, createdAt, end };
}
