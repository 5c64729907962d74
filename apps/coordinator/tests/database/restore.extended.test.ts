// Tests that a backup comes back only into the hands of the build that made it.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { query, temporaryDirectory } from '@drover/embedded-postgres/testing';
import { REPOSITORY_MIGRATIONS } from '@drover/store/testing';
import { expect, test } from 'vitest';
import { startOwnPostgres } from '../../src/database/own-postgres.ts';
import { restoreDatabase } from '../../src/database/restore.ts';

const NOON = Date.UTC(2026, 10, 22, 12);
const log = (): void => {};

test('given a backup of another build, when it is to be restored, then it is refused in plain words and the database stays', async () => {
  await using directory = await temporaryDirectory();
  const dataDir = join(directory.path, 'data');
  const postgres = await startOwnPostgres(dataDir, { log });
  await query(
    postgres.connectionString,
    `create table schema_migration as select 1 as number, '0001_other.sql' as name, 'abc' as sha256`,
  );
  await postgres.backUp(NOON);
  await postgres.stop();
  const before = await readdir(dataDir, { recursive: true });

  const restoring = restoreDatabase({ dataDir, migrations: REPOSITORY_MIGRATIONS, date: '2026', now: NOON, log });

  await expect(restoring).rejects.toMatchObject({
    code: 'other-build',
    message: expect.stringMatching(/made by another build of Drover.*"0001_other\.sql".*left as it is/u),
  });
  expect(await readdir(dataDir, { recursive: true })).toEqual(before);
});
