// Tests whether people are reached at a place.
import type { Selectable } from 'kysely';
import { PLACE_TEST_MS } from '../../port/channels.ts';
import type { PlaceTest, PlaceTestEnd } from '../../port/channels.ts';
import type { PlaceTestTable } from '../../tables/channels.ts';
import { send } from '../../connection/pipeline.ts';
import { instant } from '../../connection/values.ts';
import type { Db } from '../db.ts';

/** Begins tests; old ones go. */
export async function beginPlaceTests(db: Db, tests: readonly PlaceTest[], now: number): Promise<void> {
  await send(db, db.deleteFrom('place_tests').where('created_at', '<', instant(now - KEPT_MS)));
  if (tests.length === 0) return;
  const rows = tests.map(({ id, channel, address, by, createdAt }) => ({
    id,
    channel,
    address,
    tried_by: by,
    created_at: instant(createdAt),
  }));
  await send(
    db,
    db
      .insertInto('place_tests')
      .values(rows)
      .onConflict((conflict) => conflict.column('id').doNothing()),
  );
}

/** A press may come so much later, in milliseconds. */
const KEPT_MS = 3_600_000;

/** Takes those of a channel that no bot has taken and that somebody waits for. Each is given once. */
export async function takePlaceTests(db: Db, channel: string, now: number): Promise<readonly PlaceTest[]> {
  const rows = await db
    .updateTable('place_tests')
    .set({ given_at: instant(now) })
    .where('channel', '=', channel)
    .where('given_at', 'is', null)
    .where('created_at', '>', instant(now - PLACE_TEST_MS))
    .returningAll()
    .execute();
  return rows.map(toTest);
}

/** The first end counts. @returns whether there is such a test. */
export async function endPlaceTest(db: Db, id: string, end: PlaceTestEnd): Promise<boolean> {
  const error = end.kind === 'failed' ? end.error : null;
  await send(
    db,
    db.updateTable('place_tests').set({ outcome: end.kind, error }).where('id', '=', id).where('outcome', 'is', null),
  );
  return (await readPlaceTest(db, id)) !== null;
}

/** Null: there is none, or it is too long ago. */
export async function readPlaceTest(db: Db, id: string): Promise<PlaceTest | null> {
  const row = await db.selectFrom('place_tests').selectAll().where('id', '=', id).executeTakeFirst();
  return row === undefined ? null : toTest(row);
}

function toTest({ id, channel, address, tried_by, created_at, outcome, error }: Selectable<PlaceTestTable>): PlaceTest {
  const end: PlaceTestEnd | null =
    outcome === null ? null : outcome === 'shown' ? { kind: 'shown' } : { kind: 'failed', error: error ?? '' };
  return { id, channel, address, by: tried_by, createdAt: created_at, end };
}
