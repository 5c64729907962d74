/** Tests that old rows are removed a few at a time. */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { createSqlStore } from '../../src/index.ts';
import type { Database } from '../../src/tables/database.ts';
import { openTestDatabase } from '../../src/testing/index.ts';
import { query } from '@drover/embedded-postgres/testing';

test('given more old rows than one transaction removes, when they are pruned, then each removes so many of a kind, and the last says that it is done', async () => {
  await using database = await openTestDatabase<Database>();
  const { connectionString } = database;
  const store = createSqlStore(database.db, { sleep: () => Promise.resolve(), random: () => 0 });
  await query(
    connectionString,
    `insert into receipts (worker_id, text_id, purpose, outcome, receipt, at)
     select '${randomUUID()}', 'o', 'p', 'delivered', '{}', to_timestamp(n) from generate_series(1, 5) n;
     insert into announcements (at, type, subject, version) select to_timestamp(n), 't', '{}', 1 from generate_series(1, 3) n`,
  );
  const left = async (): Promise<unknown> =>
    (
      await query(
        connectionString,
        'select (select count(*)::int from receipts) as r, (select count(*)::int from announcements) as a',
      )
    )[0];
  const prune = (): Promise<boolean> => store.transaction((tx) => tx.prune(10_000, 2));

  expect([await prune(), await left()]).toEqual([false, { r: 3, a: 1 }]);
  expect([await prune(), await left()]).toEqual([false, { r: 1, a: 0 }]);
  expect([await prune(), await left()]).toEqual([true, { r: 0, a: 0 }]);
});
