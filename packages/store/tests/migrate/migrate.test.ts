import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { migrate } from '../../src/migrate/migrate.ts';
import { openTestDatabase, type TestDatabase } from '../../src/testing/index.ts';
import { query, temporaryDirectory } from '@drover/embedded-postgres/testing';

const LOG = { log: () => {} };

const FILES = {
  '0001_entry.sql': '-- Something to count.\ncreate table entry (n int);\ninsert into entry values (1);\n',
  '0002_more.sql': '-- More of it.\ninsert into entry values (2);\n',
  '0003_last.sql': '-- The last.\ninsert into entry values (3);\n',
};

/** An empty database and a directory with the three files. */
async function given(): Promise<AsyncDisposable & { directory: string; database: TestDatabase<unknown> }> {
  await using held = new AsyncDisposableStack();
  const empty = held.use(await temporaryDirectory());
  const directory = held.use(await temporaryDirectory()).path;
  const database = held.use(await openTestDatabase({ migrations: empty.path }));
  for (const [name, text] of Object.entries(FILES)) await writeFile(join(directory, name), text);
  await query(database.connectionString, 'drop table if exists schema_migration');
  const owned = held.move();
  return { directory, database, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

const entries = async (database: TestDatabase<unknown>) =>
  (await query(database.connectionString, 'select n from entry order by n')).map(({ n }) => n);

test('given three files, when eight processes migrate at once, then each file is applied once', async () => {
  await using here = await given();
  const { connectionString } = here.database;

  const applied = await Promise.all(Array.from({ length: 8 }, () => migrate(connectionString, { ...here, ...LOG })));

  expect(applied.flat().sort()).toEqual(Object.keys(FILES));
  expect(await entries(here.database)).toEqual([1, 2, 3]);
  expect(await migrate(connectionString, { ...here, ...LOG })).toEqual([]);
});

test('given three files, when a process migrates, then one line says how far, and each step is a matter of debugging', async () => {
  await using here = await given();
  const lines: string[] = [];
  const options = { directory: here.directory, log: (level: string, says: string) => lines.push(`${level} ${says}`) };

  await migrate(here.database.connectionString, { ...options, through: 1 });
  await migrate(here.database.connectionString, options);
  await migrate(here.database.connectionString, options);

  expect(lines.filter((line) => line.startsWith('info'))).toEqual([
    'info Brought the database to migration 0001_entry (1 step).',
    'info Brought the database to migration 0003_last (2 steps).',
  ]);
  expect(lines.filter((line) => line.startsWith('debug'))).toHaveLength(3);
});

test('given an applied file, when only its line ends change, then it is the same file', async () => {
  await using here = await given();
  await migrate(here.database.connectionString, { ...here, ...LOG });
  await writeFile(join(here.directory, '0002_more.sql'), FILES['0002_more.sql'].replaceAll('\n', '\r\n'));

  const applied = await migrate(here.database.connectionString, { ...here, ...LOG });

  expect(applied).toEqual([]);
});

test.each([
  ['edited', (directory: string) => writeFile(join(directory, '0002_more.sql'), '-- Other.\nselect 1;\n')],
  ['edited', (directory: string) => rename(join(directory, '0002_more.sql'), join(directory, '0002_renamed.sql'))],
  ['gap', (directory: string) => rm(join(directory, '0002_more.sql'))],
  ['gap', (directory: string) => writeFile(join(directory, '0003_again.sql'), 'select 1;')],
  ['older-build', (directory: string) => rm(join(directory, '0003_last.sql'))],
  ['bad-name', (directory: string) => writeFile(join(directory, '4_short.sql'), 'select 1;')],
  ['own-transaction', (directory: string) => writeFile(join(directory, '0004_x.sql'), 'create table x ();\nCOMMIT;\n')],
])(
  'given an applied history, when the files are spoilt so that they are %s, then nothing is done',
  async (code, spoil) => {
    await using here = await given();
    await migrate(here.database.connectionString, { ...here, ...LOG });
    await spoil(here.directory);

    const outcome = migrate(here.database.connectionString, { ...here, ...LOG });

    await expect(outcome).rejects.toMatchObject({ name: 'MigrationError', code });
    expect(await entries(here.database)).toEqual([1, 2, 3]);
  },
);

test.each([
  ['content', (directory: string) => writeFile(join(directory, '0001_entry.sql'), 'create table other ();\n')],
  ['name', (directory: string) => rename(join(directory, '0001_entry.sql'), join(directory, '0001_baseline.sql'))],
])(
  'given a database whose first migration has another %s, when it is migrated, then it is refused in plain words and left as it is',
  async (_what, other) => {
    await using here = await given();
    const { connectionString } = here.database;
    await migrate(connectionString, { ...here, ...LOG, through: 2 });
    await other(here.directory);
    const before = await everything(connectionString);
    const asked: string[] = [];

    const outcome = migrate(connectionString, {
      ...here,
      ...LOG,
      beforeChange: () => Promise.resolve(void asked.push('a backup')),
    });

    await expect(outcome).rejects.toMatchObject({
      code: 'other-build',
      message: expect.stringMatching(
        /made by another build of Drover.*"0001_entry\.sql".*left as it is\. Start the build that made it, or give/u,
      ),
    });
    expect(await everything(connectionString)).toEqual(before);
    expect(asked).toEqual([]);
  },
);

/** Reads every object, and how often each table was written since the server began to count. */
async function everything(connectionString: string): Promise<unknown> {
  return [
    await query(connectionString, 'select oid, relname, relfilenode from pg_class order by oid'),
    await query(connectionString, 'select *, xmin, ctid from schema_migration order by number'),
    await query(connectionString, 'select *, xmin, ctid from entry'),
  ];
}

test('given a file that fails in its third line, when it is applied, then it leaves nothing and the error names the line', async () => {
  await using here = await given();
  await writeFile(
    join(here.directory, '0003_last.sql'),
    '-- Fails.\ninsert into entry values (3);\nselect nothing from nowhere;\n',
  );

  const outcome = migrate(here.database.connectionString, { ...here, ...LOG });

  await expect(outcome).rejects.toThrow('"0003_last.sql", line 3 failed: relation "nowhere" does not exist');
  expect(await entries(here.database)).toEqual([1, 2]);
});

test('given a PL/pgSQL body with begin and end, when it is applied, then it is not taken for a transaction', async () => {
  await using here = await given();
  const body = 'create function f() returns int language plpgsql as $$\nbegin\n  return 1;\nend;\n$$;\n';
  await writeFile(join(here.directory, '0004_function.sql'), `-- A function.\n${body}`);

  const applied = await migrate(here.database.connectionString, { ...here, ...LOG });

  expect(applied).toContain('0004_function.sql');
});

test('given a database with an earlier schema, when it is migrated, then what must come first is done once, before anything changes', async () => {
  await using here = await given();
  const { connectionString } = here.database;
  const found: unknown[] = [];
  const options = { ...here, ...LOG, beforeChange: async () => void found.push(await entries(here.database)) };

  await migrate(connectionString, { ...options, through: 1 });
  await migrate(connectionString, options);
  await migrate(connectionString, options);

  expect(found).toEqual([[1]]);
  expect(await entries(here.database)).toEqual([1, 2, 3]);
});

test('given that what must come first fails, when a database is migrated, then it stays as it was', async () => {
  await using here = await given();
  const { connectionString } = here.database;
  await migrate(connectionString, { ...here, ...LOG, through: 1 });

  const when = migrate(connectionString, { ...here, ...LOG, beforeChange: () => Promise.reject(new Error('no room')) });

  await expect(when).rejects.toThrow('no room');
  expect(await entries(here.database)).toEqual([1]);
});
