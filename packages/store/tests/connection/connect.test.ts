import { join } from 'node:path';
import { pause, systemClock } from '@drover/base';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { connect } from '../../src/connection/connect.ts';
import { failureKind } from '../../src/connection/errors.ts';
import { withRetry } from '../../src/connection/retry.ts';
import { openTestDatabase } from '../../src/testing/index.ts';
import { json } from '../../src/connection/values.ts';
import { eventually, logLines, start, temporaryDirectory } from '@drover/embedded-postgres/testing';

const sleep = (ms: number) => pause(systemClock, ms);

test('given big and small whole numbers, when they are read, then they are numbers, or bigints where those are not exact', async () => {
  await using database = await openTestDatabase();

  const { rows } =
    await sql`select count(*) as count, sum(n) as sum, max(n) as big, array_agg(n) as all, 1.25::numeric as fraction
    from (values (1::bigint), (9007199254740993)) as t (n)`.execute(database.db);

  expect(rows).toEqual([
    { count: 2, sum: 9007199254740994n, big: 9007199254740993n, all: [1, 9007199254740993n], fraction: 1.25 },
  ]);
});

test.each([[{ a: [1, 'two', null] }], [['x', 'y']], ['text'], [null], [7]])(
  'given the value %j, when it is stored as JSON and read, then it is the same',
  async (value) => {
    await using database = await openTestDatabase();

    const { rows } = await sql`select ${json(value)} as value, jsonb_typeof(${json(value)}) as type`.execute(
      database.db,
    );

    expect(rows).toMatchObject([{ value }]);
  },
);

test('given a value that JSON cannot hold, when it is to be stored, then it is refused', () => {
  expect(() => json(undefined)).toThrow('Cannot store a value of type "undefined" as JSON');
});

test('given a pool with idle connections, when the server ends them all, then the process lives and the next query works', async () => {
  await using database = await openTestDatabase();
  const { lines, log } = logLines();
  await using given = connect(database.connectionString, { log, maxConnections: 3 });
  await Promise.all([1, 2, 3].map(() => sql`select pg_sleep(0.01)`.execute(given.db)));

  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`.execute(database.db);
  const query = () => sql`select 1 as one`.execute(given.db);
  const { rows } = await withRetry(query, { attempts: 10, sleep, random: Math.random });

  expect(rows).toEqual([{ one: 1 }]);
  expect(lines).toContainEqual(expect.stringContaining('A database connection was lost'));
});

test('given a pool with connections, when it is closed, then none is left that the end of the server could cut', async () => {
  await using database = await openTestDatabase();
  const { lines, log } = logLines();
  const given = connect(database.connectionString, { log, maxConnections: 8 });
  await Promise.all(Array.from({ length: 8 }, () => sql`select pg_sleep(0.05)`.execute(given.db)));

  await given[Symbol.asyncDispose]();
  const { rows } = await sql`select pid from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`.execute(database.db);

  expect(rows).toEqual([]);
  expect(lines).toEqual([]);
});

test('given an open transaction, when the server is killed, then it fails as a lost connection and the pool works again', async () => {
  await using directory = await temporaryDirectory();
  await using postgres = await start(join(directory.path, 'data'));
  await using given = connect(postgres.connectionString, { log: () => {}, maxConnections: 4 });
  await sql`create table entry (n int)`.execute(given.db);

  const open = given.db.transaction().execute(async (transaction) => {
    await sql`insert into entry values (1)`.execute(transaction);
    // Kills the connection between two statements, when no promise waits for it: its error is the client's own, and
    // kills a process that has no listener.
    const killed = postgres.pid;
    process.kill(killed, 'SIGKILL');
    await eventually('the next server', async () => (postgres.pid === killed ? undefined : true));
    await sql`insert into entry values (1)`.execute(transaction);
  });

  const error: unknown = await open.catch((reason: unknown) => reason);
  expect(failureKind(error)).toBe('lost-connection');
  const insert = () => sql`insert into entry values (2) returning n`.execute(given.db);
  const { rows } = await withRetry(insert, { attempts: 30, sleep, random: Math.random });
  expect(rows).toEqual([{ n: 2 }]);
  expect((await sql`select n from entry`.execute(given.db)).rows).toEqual([{ n: 2 }]);
});
