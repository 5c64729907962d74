import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isAlive } from '../src/server/postmaster-file.ts';
import { childDrover, logLines, query, start, temporaryDirectory } from '../src/testing/clusters.ts';

test('given an empty directory, when it is started, stopped and started again, then the rows of the first life are there', async () => {
  await using directory = await temporaryDirectory();
  const dataDir = join(directory.path, 'data');

  const first = await start(dataDir);
  await query(first.connectionString, 'create table kept as select 1 as one');
  await first.stop();
  await first.stop();
  expect(isAlive(first.pid)).toBe(false);
  await using second = await start(dataDir);

  expect(await query(second.connectionString, 'select one from kept')).toEqual([{ one: 1 }]);
});

test('given a started server, when it is asked how it runs, then it is private, durable, in UTC, sorts by code point, and logs nothing without a reason', async () => {
  await using directory = await temporaryDirectory();

  await using postgres = await start(join(directory.path, 'data'), {
    durability: 'full',
    settings: { max_connections: '33' },
  });

  const [row] = await query(
    postgres.connectionString,
    `select current_setting('listen_addresses') as tcp, current_setting('fsync') as fsync, current_setting('timezone') as zone,
      current_setting('max_connections') as connections, current_setting('log_checkpoints') as checkpoints, 'Z' < 'a' as by_code_point, lower('Ä') as lower`,
  );
  expect(row).toEqual({
    tcp: '',
    fsync: 'on',
    zone: 'UTC',
    connections: '33',
    checkpoints: 'off',
    by_code_point: true,
    lower: 'ä',
  });
  const socketDirectory = decodeURIComponent(new URL(postgres.connectionString).hostname);
  expect((await stat(socketDirectory)).mode & 0o777).toBe(0o700);
});

test('given a running server, when a client comes with a wrong password, then it is refused', async () => {
  await using directory = await temporaryDirectory();
  await using postgres = await start(join(directory.path, 'data'));
  const url = new URL(postgres.connectionString);
  url.password = 'guessed';

  const attempt = query(url.href, 'select 1');

  await expect(attempt).rejects.toMatchObject({ code: '28P01' });
});

test('given a Drover on a directory, when a second one starts there, then it is refused with the first one named', async () => {
  await using directory = await temporaryDirectory();
  const dataDir = join(directory.path, 'data');
  await using first = childDrover(dataDir);
  const { connectionString } = await first.next();

  const second = start(dataDir);

  await expect(second).rejects.toMatchObject({ code: 'in-use' });
  await expect(start(dataDir)).rejects.toThrow(`process ${first.process.pid}`);
  expect(await query(connectionString, 'select 1 as one')).toEqual([{ one: 1 }]);
});

test('given eight Drovers at once on an empty directory, when all have answered, then one has it and seven were refused', async () => {
  await using directory = await temporaryDirectory();
  const dataDir = join(directory.path, 'data');

  const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => start(dataDir)));

  const winners = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
  expect(winners).toHaveLength(1);
  await winners[0]?.stop();
  const refusals = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
  expect(refusals.map(({ code }) => code)).toEqual(Array.from({ length: 7 }, () => 'in-use'));
});

test('given a path too long for a socket, when started, then the socket lies elsewhere and goes with the server', async () => {
  await using directory = await temporaryDirectory();
  const dataDir = join(directory.path, 'a-directory-with-a-long-name'.repeat(4));

  const postgres = await start(dataDir);
  const socketDirectory = decodeURIComponent(new URL(postgres.connectionString).hostname);

  expect(await query(postgres.connectionString, 'select 1 as one')).toEqual([{ one: 1 }]);
  expect(socketDirectory.startsWith(dataDir)).toBe(false);
  await postgres.stop();
  await expect(stat(socketDirectory)).rejects.toMatchObject({ code: 'ENOENT' });
});

test('given a start that is aborted, when it has failed with the reason, then the directory is free again', async () => {
  await using directory = await temporaryDirectory();
  const dataDir = join(directory.path, 'data');
  const stopping = new AbortController();
  const { lines, log } = logLines();

  const starting = start(dataDir, {
    signal: stopping.signal,
    log: (level, message) => {
      log(level, message);
      stopping.abort(new Error('not today'));
    },
  });

  await expect(starting).rejects.toThrow('not today');
  expect(lines[0]).toContain('Making a database');
  await using again = await start(dataDir);
  expect(isAlive(again.pid)).toBe(true);
});

test('given a started server, when its signal aborts, then it stops', async () => {
  await using directory = await temporaryDirectory();
  const stopping = new AbortController();
  const postgres = await start(join(directory.path, 'data'), { signal: stopping.signal });

  stopping.abort();
  await postgres.ended;

  expect(isAlive(postgres.pid)).toBe(false);
  expect(await readFile(join(directory.path, 'data', 'drover.pid'), 'utf8')).toBe(`${process.pid}\n`);
});
