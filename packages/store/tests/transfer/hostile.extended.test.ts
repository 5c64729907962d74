// A file that was written to do harm leaves the database as it was, and takes no more than its limits.
import { createHash, randomUUID } from 'node:crypto';
import { stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDatabase, REPOSITORY_MIGRATIONS, type TestDatabase } from '../../src/testing/index.ts';
import { readExportFile, writeExportFile } from '../../src/transfer/files.ts';
import { importDatabase, type ImportOptions } from '../../src/transfer/import.ts';
import { LINE_BYTES_MAX } from '../../src/transfer/limits.ts';
import { temporaryDirectory } from '@drover/embedded-postgres/testing';
import { asFile, exported, withClient } from './support.ts';

const MACHINE = '11111111-1111-4111-8111-111111111111';
const options = { log: () => {}, migrations: REPOSITORY_MIGRATIONS, replace: false, withTokens: false };

let one: TestDatabase<unknown>;
let other: TestDatabase<unknown>;
let good: string;
beforeAll(async () => {
  one = await openTestDatabase();
  other = await openTestDatabase();
  await withClient(one.connectionString, (client) =>
    client.query(
      `insert into machines (id, name, public_key, facts, access_token_sha256, access_token_expires_at, created_at)
         values ('${MACHINE}', 'mine', 'key', '{}', 'sum-of-access', now(), now());
       insert into api_tokens (id, name, token_sha256, role, created_at) values ('${randomUUID()}', 'me', 'sum-of-api', 'admin', now());
       insert into join_tokens (token_sha256, created_at, expires_at) values ('sum-of-join', now(), now())`,
    ),
  );
  good = await exported(one.connectionString);
});
afterAll(async () => {
  for (const database of [one, other]) await database[Symbol.asyncDispose]();
});

function importing(file: string, more: Partial<ImportOptions> = {}): Promise<unknown> {
  return importDatabase(other.connectionString, asFile(file, 65_536), { ...options, ...more });
}

/** Seals a file as one who knows the format would: with the right sum and number of rows. */
function sealed(file: string): string {
  const lines = file.split('\n').slice(0, -2);
  const hash = createHash('sha256')
    .update(`${lines.join('\n')}\n`)
    .digest('hex');
  const rows = lines.filter((line) => line.startsWith('[')).length;
  return `${lines.join('\n')}\n${JSON.stringify({ end: { rows, sha256: hash } })}\n`;
}

const SQL = 'x"; drop table workers; --';

test.each([
  [
    'SQL for the name of a table',
    (file: string) => file.replace('{"table":"machines"', `{"table":${JSON.stringify(SQL)}`),
    /not expected/,
  ],
  [
    'a table of the server',
    (file: string) => file.replace('{"table":"machines"', '{"table":"pg_catalog.pg_authid"'),
    /not expected/,
  ],
  [
    'the table of migrations',
    (file: string) => file.replace('{"table":"machines"', '{"table":"schema_migration"'),
    /not expected/,
  ],
  [
    'a path for the name of a table',
    (file: string) => file.replace('{"table":"machines"', '{"table":"../../etc/passwd"'),
    /not expected/,
  ],
  [
    'SQL for the name of a column',
    (file: string) => file.replace('"public_key"', JSON.stringify(SQL)),
    /has the columns/,
  ],
  ['an unknown column', (file: string) => file.replace('"public_key"', '"public_key","more"'), /has the columns/],
  [
    'SQL for the name of a sequence',
    (file: string) => file.replace('{"sequences":{', `{"sequences":{${JSON.stringify(SQL)}:["1",true],`),
    /no sequence/,
  ],
  [
    'a sequence beyond all numbers',
    (file: string) => file.replace(/("events_id_seq":\[")\d+/, '$19999999999999999999'),
    /not a whole number/,
  ],
  [
    'SQL for a value',
    (file: string) => file.replace(`["${MACHINE}"`, `["${MACHINE}'; drop table workers; --"`),
    /invalid input syntax/,
  ],
  ['an object for a value', (file: string) => file.replace('"mine"', '{"a":1}'), /a text or null/],
  ['nested brackets', (file: string) => file.replace('"mine"', '['.repeat(200_000)), /not JSON/],
  ['a worker of no machine', withLooseWorker, /foreign key/],
  ['a role that there is not', (file: string) => file.replace('"admin"', '"root"'), /check constraint/],
  ['a zero byte', (file: string) => file.replace('"mine"', '"\\u0000"'), /0x00|invalid byte/],
])(
  'given a sealed file with %s, when it is imported, then it is refused with words and nothing is changed',
  async (_, spoil, words) => {
    const before = await exported(other.connectionString);
    const file = sealed(spoil(good));
    expect(file).not.toBe(good);

    const refused = importing(file, { withTokens: true });

    await expect(refused).rejects.toMatchObject({
      name: 'TransferError',
      code: 'bad-file',
      message: expect.stringMatching(words),
    });
    expect(await exported(other.connectionString)).toBe(before);
  },
);

function withLooseWorker(file: string): string {
  const [, columns = '[]'] = /\{"table":"workers","columns":(\[.*?\])/.exec(file) ?? [];
  const values: Record<string, string> = { name: 'adam', options: '{}', state: '{}', status: 'idle', version: '1' };
  const row = (JSON.parse(columns) as string[]).map((column) =>
    column.endsWith('id') ? randomUUID() : column.endsWith('_at') ? '2026-01-01' : (values[column] ?? null),
  );
  return file.replace(/(\{"table":"workers".*\n)/, `$1${JSON.stringify(row)}\n`);
}

test('given a line without an end, when it is imported, then it is refused before it fills the memory', async () => {
  let given = 0;
  async function* endless(): AsyncGenerator<Uint8Array, void, undefined> {
    const chunk = Buffer.alloc(1024 ** 2, 'a');
    yield Buffer.from('["');
    for (;;) yield (((given += chunk.length), chunk));
  }

  const refused = importDatabase(other.connectionString, endless(), options);

  await expect(refused).rejects.toMatchObject({ code: 'bad-file', message: expect.stringContaining('more than') });
  expect(given).toBeLessThanOrEqual(LINE_BYTES_MAX + 2 * 1024 ** 2);
});

test.each([
  ['more bytes than are taken', { contentBytes: 1_000 }, 'too-large', /more than 1000 bytes/],
  ['more rows than are taken', { rows: 1 }, 'bad-file', /more than 1 rows/],
  ['a disk that is nearly full', { freeBytes: () => Promise.resolve(1_000) }, 'no-room', /free some space/],
])('given %s, when a file is imported, then it is refused and nothing is changed', async (_, limits, code, words) => {
  const before = await exported(other.connectionString);

  await expect(importing(good, { limits })).rejects.toMatchObject({ code, message: expect.stringMatching(words) });

  expect(await exported(other.connectionString)).toBe(before);
});

test('given a compressed file that unpacks to a thousand times its size, when it is read, then it is refused', async () => {
  await using directory = await temporaryDirectory();
  const path = join(directory.path, 'bomb.gz');
  await writeFile(path, gzipSync(Buffer.alloc(128 * 1024 ** 2)));

  const reading = Array.fromAsync(readExportFile(path), (chunk) => chunk.length);

  await expect(reading).rejects.toMatchObject({
    code: 'too-large',
    message: expect.stringContaining('times its size'),
  });
});

test('given a file with tokens, when it is imported, then they are left out unless asked for, and the machines are named', async () => {
  const without = await importing(good);
  const left = await sums();
  const withThem = await importing(good, { replace: true, withTokens: true });

  expect(without).toEqual({ rows: 2, replaced: 0, tokensLeftOut: 2, machines: ['mine'] });
  expect(left).toEqual([]);
  expect(withThem).toMatchObject({ rows: 4, replaced: 2, tokensLeftOut: 0 });
  expect(await sums()).toEqual(['sum-of-access', 'sum-of-api', 'sum-of-join']);
  await withClient(other.connectionString, (client) =>
    client.query('truncate machines, api_tokens, join_tokens, announcements cascade'),
  );
});

async function sums(): Promise<readonly string[]> {
  const { rows } = await withClient(other.connectionString, (client) =>
    client.query<{ sum: string }>(
      `select token_sha256 as sum from api_tokens union all select token_sha256 from join_tokens
       union all select access_token_sha256 from machines where access_token_sha256 is not null`,
    ),
  );
  return rows.map(({ sum }) => sum).toSorted();
}

test('given a link where the unfinished file would be, when an export is written, then the link is not followed and the file is private', async () => {
  await using directory = await temporaryDirectory();
  const [path, aim] = [join(directory.path, 'file.jsonl'), join(directory.path, 'aim')];
  await writeFile(aim, 'as it was', { mode: 0o644 });
  await symlink(aim, `${path}.unfinished`);
  await writeExportFile(path, secretPieces());

  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect((await stat(aim)).size).toBe('as it was'.length);
});

async function* secretPieces(): AsyncGenerator<string, void, undefined> {
  yield 'secret\n';
}
