// Tests that a database comes through a file unchanged, whole or not at all, and that a bad file names the place of its
// error.
import { createHash, randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connect } from '../../src/connection/connect.ts';
import { openTestDatabase, REPOSITORY_MIGRATIONS, type TestDatabase } from '../../src/testing/index.ts';
import { readCatalog } from '../../src/transfer/catalog.ts';
import { readExportFile, writeExportFile } from '../../src/transfer/files.ts';
import { importDatabase } from '../../src/transfer/import.ts';
import { migrate } from '../../src/migrate/migrate.ts';
import { temporaryDirectory } from '@drover/embedded-postgres/testing';
import { asFile, contentOf, dropChecks, exported, fill, withClient } from './support.ts';

const options = { log: () => {}, migrations: REPOSITORY_MIGRATIONS, replace: false, withTokens: true };
const MACHINE = '11111111-1111-4111-8111-111111111111';

let one: TestDatabase<unknown>;
let other: TestDatabase<unknown>;
beforeAll(async () => {
  one = await openTestDatabase();
  other = await openTestDatabase();
  for (const { connectionString } of [one, other]) await dropChecks(connectionString);
});
afterAll(async () => {
  for (const database of [one, other]) await database[Symbol.asyncDispose]();
});

test('given any content of every table, when it is exported, imported and exported again, then both files are the same bytes', async () => {
  const catalog = await withClient(one.connectionString, readCatalog);
  const seen = new Set<string>();

  await fc.assert(
    fc.asyncProperty(contentOf(catalog), async (content) => {
      const written = await fill(one.connectionString, content);
      const first = await exported(one.connectionString);
      const imported = await importDatabase(other.connectionString, asFile(first), { ...options, replace: true });

      expect(imported.rows).toBe(written);
      expect(await exported(other.connectionString)).toBe(first);
      for (const [table, rows] of content) if (rows.length > 0) seen.add(table);
    }),
    { numRuns: 15 },
  );

  expect([...seen].toSorted()).toEqual(catalog.tables.map(({ name }) => name).toSorted());
});

/** A file with one machine that is fine; each test spoils it. */
async function goodFile(): Promise<string> {
  await withMachine(one.connectionString);
  return exported(one.connectionString);
}

async function withMachine(connectionString: string): Promise<void> {
  await fill(connectionString, new Map());
  await withClient(connectionString, (client) =>
    client.query(
      `insert into machines (id, name, public_key, facts, session_epoch, created_at)
       values ($1, 'böse "Maschine"', 'key', 'null', 9007199254740993, '2026-11-22 03:04:05.678901+00')`,
      [MACHINE],
    ),
  );
}

async function empty(): Promise<void> {
  await fill(other.connectionString, new Map());
}

function importing(text: string, replace = false): Promise<unknown> {
  return importDatabase(other.connectionString, asFile(text), { ...options, replace });
}

test('given numbers, times and nulls that JSON would change, when they are imported, then they are exactly what they were', async () => {
  await empty();
  await importing(await goodFile());

  const { rows } = await withClient(other.connectionString, (client) =>
    client.query(
      `select session_epoch::text as epoch, facts = 'null'::jsonb as json_null, version is null as sql_null,
       to_char(created_at at time zone 'UTC', 'SS.US') as micros from machines`,
    ),
  );
  expect(rows).toEqual([{ epoch: '9007199254740993', json_null: true, sql_null: true, micros: '05.678901' }]);
});

test('given a database with rows, when a file is imported, then it is refused with what is there, and replaced only when told to', async () => {
  const file = await goodFile();
  await withMachine(other.connectionString);
  const before = await exported(other.connectionString);

  const refused = importing(file);
  await expect(refused).rejects.toMatchObject({ code: 'not-empty', message: expect.stringContaining('machines (1)') });
  expect(await exported(other.connectionString)).toBe(before);

  expect(await importing(file, true)).toMatchObject({ rows: 1, replaced: 1 });
});

test('given a coordinator on the database, when a file is imported, then it is refused', async () => {
  await empty();
  const { pool } = connect<unknown>(other.connectionString, { log: () => {}, maxConnections: 1 });
  await pool.query('select 1');

  const refused = importing(await goodFile());

  await expect(refused).rejects.toMatchObject({ code: 'in-use', message: expect.stringContaining('drover down') });
  await pool.end();
});

/** The line of the machine, counted from 1, and its text. */
function machineLine(file: string): { number: number; text: string } {
  const lines = file.split('\n');
  const index = lines.findIndex((line) => line.startsWith(`["${MACHINE}"`));
  return { number: index + 1, text: lines[index] ?? '' };
}

test.each([
  [
    'no JSON',
    (text: string) => text.replace('","key"', '" "key"'),
    (text: string) => text.indexOf('"key"') + 1,
    /not JSON/,
  ],
  [
    'a number in a text',
    (text: string) => text.replace('"9007199254740993"', '9007199254740993'),
    (text: string) => text.indexOf('"90071') + 1,
    /a text or null/,
  ],
  [
    'a time that is none',
    (text: string) => text.replace('2026-11-22', 'some day'),
    (text: string) => text.indexOf('"2026') + 1,
    /invalid input syntax/,
  ],
  ['a value too few', (text: string) => text.replace(/,[^,]*\]$/, ']'), () => 1, /array of 23 values/],
  ['a null that may not be', (text: string) => text.replace('"key"', 'null'), () => 1, /not-null/],
])(
  'given a file with %s, when it is imported, then line and column are named and nothing was changed',
  async (_, spoil, columnOf, words) => {
    await empty();
    const file = await goodFile();
    const { number, text } = machineLine(file);

    const refused = importing(file.replace(text, spoil(text)));

    await expect(refused).rejects.toMatchObject({
      code: 'bad-file',
      message: expect.stringContaining(`line ${number}, column ${columnOf(text)}: `),
    });
    await expect(refused).rejects.toThrow(words);
    await expect(
      withClient(other.connectionString, (client) => client.query('select from machines')),
    ).resolves.toMatchObject({ rowCount: 0 });
  },
);

test.each([
  ['nothing', () => '', /empty/],
  ['another file', () => '{"hello":1}\n', /first line is not that of/],
  ['a format of the future', (file: string) => file.replace('"version":1', '"version":2'), /newer Drover/],
  ['another history', (file: string) => file.replace('0001_baseline', '0001_other'), /0001_other/],
  ['half of it', (file: string) => file.slice(0, file.length / 2), /cut|missing/],
  ['no last line', (file: string) => file.replace(/\{"end.*\n$/, ''), /last line is missing/],
  ['a changed letter', (file: string) => file.replace('Maschine', 'Machinae'), /changed after it was written/],
  ['a row removed', (file: string) => file.replace(`${machineLine(file).text}\n`, ''), /should have 1 rows, and has 0/],
  ['a table removed', (file: string) => file.replace(/\{"table":"tasks".*\n/, ''), /without the tables tasks/],
  ['a table twice', (file: string) => file.replace(/(\{"table":"tasks".*\n)/, '$1$1'), /twice/],
  ['an unknown table', (file: string) => file.replace('{"table":"tasks"', '{"table":"horses"'), /"horses"/],
  ['more behind the end', (file: string) => `${file}{}\n`, /after the last line/],
])(
  'given a file with %s, when it is imported, then it is refused and the database is as it was',
  async (_, spoil, words) => {
    await empty();
    const before = await exported(other.connectionString);

    await expect(importing(spoil(await goodFile()))).rejects.toThrow(words);

    expect(await exported(other.connectionString)).toBe(before);
  },
);

test('given bytes that are no text, when they are imported, then the place is named', async () => {
  const file = Buffer.from(await goodFile());
  file[20] = 0xff;

  const refused = importDatabase(
    other.connectionString,
    (async function* () {
      yield file;
    })(),
    options,
  );

  await expect(refused).rejects.toThrow('line 1, column 21: this is not text in UTF-8');
});

test('given a name that ends in .gz, when it is written and read, then it is private, compressed, always the same, and whole', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'drover-export-'));
  const file = await goodFile();
  const sums: string[] = [];
  for (const name of ['a.jsonl.gz', 'b.jsonl.gz']) {
    await writeExportFile(
      join(directory, name),
      (async function* () {
        yield file;
      })(),
    );
    const hash = createHash('sha256');
    for await (const chunk of readExportFile(join(directory, name))) hash.update(chunk);
    sums.push(hash.digest('hex'));
  }

  const { mode, size } = await stat(join(directory, 'a.jsonl.gz'));
  expect({ mode: mode & 0o777, smaller: size < file.length }).toEqual({ mode: 0o600, smaller: true });
  expect(sums).toEqual(Array(2).fill(createHash('sha256').update(file).digest('hex')));
  expect((await readdir(directory)).toSorted()).toEqual(['a.jsonl.gz', 'b.jsonl.gz']);
  await rm(directory, { recursive: true });
});

test('given an export that fails in the middle, when it has failed, then the older file is still there', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'drover-export-'));
  const path = join(directory, 'a.jsonl');
  await writeExportFile(path, asText('old'));

  const failing = writeExportFile(
    path,
    (async function* () {
      yield 'new';
      throw new Error('the server is gone');
    })(),
  );

  await expect(failing).rejects.toThrow('the server is gone');
  expect(await readdir(directory)).toEqual(['a.jsonl']);
  expect((await stat(path)).size).toBe(3);
  await rm(directory, { recursive: true });
});

async function* asText(text: string): AsyncGenerator<string, void, undefined> {
  yield text;
}

test('given a database that knows more than the file, when it is imported, then it is refused: rows may have had another shape then', async () => {
  await using directory = await twoMigrations();
  const [old, newer] = [await createDatabase(), await createDatabase()];
  await migrate(old, { directory: directory.path, log: () => {}, through: 1 });
  await migrate(newer, { directory: directory.path, log: () => {} });

  const importing = importDatabase(newer, asFile(await exported(old)), { ...options, migrations: directory.path });

  await expect(importing).rejects.toMatchObject({ code: 'other-schema' });
});

test('given an older file and an empty database, when it is imported, then it is migrated as far as the file, filled, and migrated on', async () => {
  await using directory = await twoMigrations();
  const [old, fresh] = [await createDatabase(), await createDatabase()];
  await migrate(old, { directory: directory.path, log: () => {}, through: 1 });
  await withClient(old, (client) => client.query(`insert into things values (7, 'seven')`));

  await importDatabase(fresh, asFile(await exported(old)), { ...options, migrations: directory.path });

  const { rows } = await withClient(fresh, (client) => client.query('select id::int, name, since::text from things'));
  expect(rows).toEqual([{ id: 7, name: 'seven', since: expect.stringContaining('2026-01-01') }]);
});

async function twoMigrations(): ReturnType<typeof temporaryDirectory> {
  const directory = await temporaryDirectory();
  for (const [name, text] of [
    ['0001_a.sql', 'create table things (id bigint primary key, name text not null);'],
    ['0002_b.sql', `alter table things add column since timestamptz not null default '2026-01-01 00:00:00+00';`],
  ] as const) {
    await writeFile(join(directory.path, name), text);
  }
  return directory;
}

/** An empty database beside that of the test; the server of the tests is thrown away. */
async function createDatabase(): Promise<string> {
  const name = `drover_transfer_${randomUUID().replaceAll('-', '')}`;
  await withClient(one.connectionString, (client) => client.query(`create database ${name} template template0`));
  const url = new URL(one.connectionString);
  url.pathname = `/${name}`;
  return url.href;
}
