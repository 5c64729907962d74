// Tests that a backup of a running cluster opens by itself, with every row that was acknowledged before the backup
// ended.
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Client } from 'pg';
import { expect, test } from 'vitest';
import { COPIED } from '../src/backups/backup.ts';
import { listBackups } from '../src/backups/backups.ts';
import { homeOf } from '../src/place.ts';
import { restoreBackup } from '../src/backups/restore.ts';
import type { EmbeddedPostgresOptions } from '../src/start.ts';
import { childDrover, logLines, query, start, temporaryDirectory } from '../src/testing/clusters.ts';

const DAY_MS = 86_400_000;
const NOON = Date.UTC(2026, 10, 22, 12);

test('given a backup and later writes, when files of the cluster are destroyed and it is restored, then the rows of before the backup are there and the old cluster is kept', async () => {
  await using directory = await temporaryDirectory();
  const dataDir = join(directory.path, 'data');
  const postgres = await start(dataDir, { durability: 'full' });
  await query(postgres.connectionString, 'create table kept as select 1 as one');
  await postgres.backUp(NOON);
  await query(postgres.connectionString, 'insert into kept values (2)');
  await postgres.stop();
  await rm(join(dataDir, 'postgres', 'pgdata', 'base'), { recursive: true });
  await rm(join(dataDir, 'postgres', 'pgdata', 'global', 'pg_control'));
  const refused = start(dataDir);
  await expect(refused).rejects.toMatchObject({ code: 'start-failed' });

  const outcome = await restoreBackup({
    dataDir,
    date: '2026-11-22',
    now: NOON + DAY_MS,
    log: () => {},
  });
  await using restored = await start(dataDir);

  const aside = join(dataDir, 'postgres.damaged-2026-11-23T12-00-00Z');
  expect(outcome).toMatchObject({ kind: 'restored', aside, backup: { takenAt: NOON } });
  expect(await query(restored.connectionString, 'select one from kept')).toEqual([{ one: 1 }]);
  expect(await readdir(join(aside, 'pgdata'))).toContain('PG_VERSION');
  expect(await readdir(join(dataDir, 'backups'))).toEqual(['2026-11-22T12-00-00Z']);
});

test('given a writer that never rests and checkpoints in the middle, when a backup is made and restored, then every row acknowledged before its end is there', async () => {
  await using directory = await temporaryDirectory();
  const dataDir = join(directory.path, 'data');
  // A small log is recycled all the time, as it would be under weeks of work: what the copy needs must be held.
  const settings = { max_wal_size: '32MB', min_wal_size: '32MB', checkpoint_timeout: '30s' };
  let [acknowledged, before] = [0, 0];
  const log: EmbeddedPostgresOptions['log'] = (_level, message) => {
    if (message === COPIED) before = acknowledged;
  };
  const postgres = await start(dataDir, { settings, log });
  await query(postgres.connectionString, 'create table rows (id int primary key, filler text)');
  const writing = new AbortController();
  const begun = Promise.withResolvers<void>();
  const writer = writeRows(postgres.superuserConnectionString, writing.signal, (id) => {
    acknowledged = id;
    begun.resolve();
  });
  await begun.promise;

  const made = await postgres.backUp(NOON);
  writing.abort();
  await writer;
  await postgres.stop();
  await restoreBackup({ dataDir, date: '2026-11-22', now: NOON, log: () => {} });
  await using restored = await start(dataDir);

  const [found] = await query(restored.connectionString, 'select count(*)::int as count, max(id) as last from rows');
  expect(made.kind).toBe('made');
  expect(before).toBeGreaterThan(0);
  expect(found?.['last']).toBe(found?.['count']);
  expect(found?.['count']).toBeGreaterThanOrEqual(before);
});

/** Inserts rows of 20 kB one by one, with a new segment of the log and a checkpoint every so often. */
async function writeRows(url: string, signal: AbortSignal, onWritten: (id: number) => void): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  for (let id = 1; !signal.aborted; id += 1) {
    await client.query(`insert into rows select $1, string_agg(md5(random()::text), '') from generate_series(1, 600)`, [
      id,
    ]);
    onWritten(id);
    if (id % 20 === 0) await client.query('select pg_switch_wal()');
    if (id % 60 === 0) await client.query('checkpoint');
  }
  await client.end();
}

test('given eight backups of eight days, when they are listed, then the last seven are there, private, and owned by the server', async () => {
  await using directory = await temporaryDirectory();
  const dataDir = join(directory.path, 'data');
  await using postgres = await start(dataDir);

  for (let day = 0; day < 8; day += 1) await postgres.backUp(NOON + day * DAY_MS);

  const backups = await postgres.backups();
  expect(backups.map(({ takenAt }) => (takenAt - NOON) / DAY_MS)).toEqual([7, 6, 5, 4, 3, 2, 1]);
  const home = await homeOf(dataDir);
  const server = await stat(join(home, 'pgdata'));
  for (const path of [join(dirname(home), 'backups'), backups[0]?.path ?? '']) {
    const { mode, uid } = await stat(path);
    expect({ path, mode: mode & 0o777, uid }).toEqual({ path, mode: 0o700, uid: server.uid });
  }
});

test('given a backup under way, when another one is asked for, then both are the same', async () => {
  await using directory = await temporaryDirectory();
  await using postgres = await start(join(directory.path, 'data'));

  const [one, other] = await Promise.all([postgres.backUp(NOON), postgres.backUp(NOON + 5_000)]);

  expect(other).toEqual(one);
  expect(await postgres.backups()).toHaveLength(1);
});

test('given a copy that was cut off, when backups are listed and the next one is made, then it is none and goes', async () => {
  await using directory = await temporaryDirectory();
  const dataDir = join(directory.path, 'data');
  const { lines, log } = logLines();
  await using postgres = await start(dataDir, { log });
  const backups = join(dataDir, 'backups');
  await mkdir(join(backups, '.unfinished-abc', 'pgdata'), { recursive: true });
  await mkdir(join(backups, '2026-01-01T00-00-00Z'));

  const before = await postgres.backups();
  await postgres.backUp(NOON);

  expect(before).toEqual([]);
  expect((await readdir(backups)).filter((name) => name.startsWith('.'))).toEqual([]);
  expect(lines).toContainEqual(expect.stringContaining('cut off before its end'));
});

test('given a server that is stopped during a backup, when its directory is read, then nothing is left of it', async () => {
  await using directory = await temporaryDirectory();
  const dataDir = join(directory.path, 'data');
  const postgres = await start(dataDir);

  const making = postgres.backUp(NOON).catch(() => 'ended');
  await postgres.stop();

  expect(await making).toBe('ended');
  expect(await readdir(join(dataDir, 'backups')).catch(() => [])).toEqual([]);
});

test('given a Drover that runs, when a backup is to be restored, then it is refused with what to do', async () => {
  await using directory = await temporaryDirectory();
  const dataDir = join(directory.path, 'data');
  await using child = childDrover(dataDir);
  await child.next();

  const restoring = restoreBackup({
    dataDir,
    date: '2026',
    now: NOON,
    log: () => {},
  });

  await expect(restoring).rejects.toMatchObject({ code: 'in-use', message: expect.stringContaining('drover down') });
});

test('given no backup of a date, when it is to be restored, then nothing is touched and those that are there are named', async () => {
  await using directory = await temporaryDirectory();
  const dataDir = join(directory.path, 'data');
  const postgres = await start(dataDir);
  await postgres.backUp(NOON);
  await postgres.stop();

  const outcome = await restoreBackup({
    dataDir,
    date: '2025',
    now: NOON,
    log: () => {},
  });

  expect(outcome).toMatchObject({ kind: 'no-such-backup', backups: [{ name: '2026-11-22T12-00-00Z' }] });
  expect((await readdir(dataDir)).filter((name) => name.startsWith('postgres'))).toEqual(['postgres']);
});

test('given a backup, when the one who restores it refuses it for what it says of its database, then the database stays', async () => {
  await using directory = await temporaryDirectory();
  const dataDir = join(directory.path, 'data');
  const first = { name: '0001_other.sql', sha256: 'abc' };
  const postgres = await start(dataDir, { readOrigin: () => Promise.resolve(first) });
  await postgres.backUp(NOON);
  await postgres.stop();
  const before = await readdir(dataDir, { recursive: true });

  const restoring = restoreBackup({
    dataDir,
    examine: (backup) => Promise.reject(new Error(`not ${backup.first?.name}`)),
    date: '2026',
    now: NOON,
    log: () => {},
  });

  await expect(restoring).rejects.toThrow('not 0001_other.sql');
  expect(await readdir(dataDir, { recursive: true })).toEqual(before);
});

test('given a restore that was cut off between its renames, when Drover starts, then it takes the restored cluster and not an empty one', async () => {
  await using directory = await temporaryDirectory();
  const dataDir = join(directory.path, 'data');
  const postgres = await start(dataDir);
  await query(postgres.connectionString, 'create table kept as select 1 as one');
  await postgres.stop();
  await rename(join(dataDir, 'postgres'), join(dataDir, 'postgres.restored'));

  await using next = await start(dataDir);

  expect(await query(next.connectionString, 'select one from kept')).toEqual([{ one: 1 }]);
});

test('given a backup whose description is damaged, when backups are listed, then it is passed over', async () => {
  await using directory = await temporaryDirectory();
  const dataDir = join(directory.path, 'data');
  await mkdir(join(dataDir, 'backups', '2026-11-22T12-00-00Z'), { recursive: true });
  await writeFile(join(dataDir, 'backups', '2026-11-22T12-00-00Z', 'backup.json'), '{"takenAt":');

  expect(await listBackups(dataDir)).toEqual([]);
  expect(await readFile(join(dataDir, 'backups', '2026-11-22T12-00-00Z', 'backup.json'), 'utf8')).not.toBe('');
});
