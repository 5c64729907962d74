// Tests that the history of a restored database goes on beyond every id that a follower may have.
import { expect, test } from 'vitest';
import { afterRestore } from '../src/after-restore.ts';
import { openTestDatabase } from '../src/testing/index.ts';
import { query } from '@drover/embedded-postgres/testing';

test('X12: given a database of the past, when it takes the place of the present one, then no id of its history comes a second time', async () => {
  await using database = await openTestDatabase();
  const next = async (): Promise<number> => {
    const [row] = await query(database.connectionString, 'select next_event_id()::double precision as id');
    return Number(row?.['id']);
  };
  const last = await next();

  await afterRestore(database.connectionString, { log: () => {} });

  expect(await next()).toBeGreaterThan(last + 1_000_000);
});
