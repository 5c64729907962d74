import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { examineSchema } from '../../src/index.ts';
import { migrate } from '../../src/migrate/migrate.ts';
import { openTestDatabase, REPOSITORY_MIGRATIONS } from '../../src/testing/index.ts';
import { query, temporaryDirectory } from '@drover/embedded-postgres/testing';

const log = (): void => {};

test('given a database of this build, when its history, an index and a constraint are spoilt, then each is named', async () => {
  await using directory = await temporaryDirectory();
  await cp(REPOSITORY_MIGRATIONS, directory.path, { recursive: true });
  for (const name of ['0002_more.sql', '0003_last.sql']) await writeFile(join(directory.path, name), 'select 1;\n');
  await using database = await openTestDatabase();
  const { connectionString } = database;
  const options = { directory: directory.path, log };
  await migrate(connectionString, options);
  const good = await examineSchema(connectionString, options);

  await query(connectionString, `delete from schema_migration where name = '0003_last.sql'`);
  await query(connectionString, `update schema_migration set sha256 = 'x' where name = '0002_more.sql'`);
  await query(connectionString, 'alter table workers add constraint never check (version > 0) not valid');
  const spoilt = await examineSchema(connectionString, options);

  expect(good).toEqual({ applied: 3, otherBuild: null, missing: [], strange: [], untrusted: [] });
  expect(spoilt).toEqual({
    applied: 2,
    otherBuild: null,
    missing: ['0003_last.sql'],
    strange: ['0002_more.sql'],
    untrusted: ['never'],
  });
});

test("given a database whose first migration is not this build's, when it is examined, then that is told", async () => {
  await using database = await openTestDatabase();
  await query(database.connectionString, `update schema_migration set name = '0001_other.sql' where number = 1`);

  const facts = await examineSchema(database.connectionString, { directory: REPOSITORY_MIGRATIONS, log });

  expect(facts).toMatchObject({ otherBuild: '0001_other.sql' });
});
