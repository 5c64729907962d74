import { expect, test } from 'vitest';
import { examineSchema } from '../../src/index.ts';
import { openTestDatabase, REPOSITORY_MIGRATIONS } from '../../src/testing/index.ts';
import { query } from '../support/clusters.ts';

const OPTIONS = { directory: REPOSITORY_MIGRATIONS, log: () => {} };

test('given a database of this build, when its history, an index and a constraint are spoilt, then each is named', async () => {
  await using database = await openTestDatabase();
  const { connectionString } = database;
  const good = await examineSchema(connectionString, OPTIONS);

  await query(connectionString, `delete from schema_migration where name = '0003_orders_by_id.sql'`);
  await query(connectionString, `update schema_migration set sha256 = 'x' where name = '0002_profiles.sql'`);
  await query(connectionString, 'alter table workers add constraint never check (version > 0) not valid');
  const spoilt = await examineSchema(connectionString, OPTIONS);

  expect(good).toMatchObject({ missing: [], strange: [], untrusted: [] });
  expect(spoilt).toEqual({
    applied: good.applied - 1,
    missing: ['0003_orders_by_id.sql'],
    strange: ['0002_profiles.sql'],
    untrusted: ['never'],
  });
});
