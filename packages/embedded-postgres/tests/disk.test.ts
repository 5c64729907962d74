import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { setClusterAside } from '../src/backups/restore.ts';
import { serverError } from '../src/errors.ts';
import { homeOf } from '../src/place.ts';
import {
  AS_ROOT,
  childDrover,
  MAY_MOUNT,
  query,
  readOnly,
  start,
  temporaryDirectory,
} from '../src/testing/clusters.ts';

test('given a path through a file, when Drover starts, then it says that the directory cannot be used', async () => {
  await using directory = await temporaryDirectory();
  await writeFile(join(directory.path, 'file'), '');

  const starting = start(join(directory.path, 'file', 'data'));

  await expect(starting).rejects.toMatchObject({ code: 'data-directory-unusable' });
  await expect(starting).rejects.toThrow(`Cannot write to "${join(directory.path, 'file', 'data')}"`);
});

test('given a directory that cannot be written, when Drover starts, then it says so and what to do', async () => {
  await using directory = await temporaryDirectory();
  const dataDir = join(directory.path, 'data');
  await mkdir(dataDir, { mode: AS_ROOT ? 0o755 : 0o555 });

  // Root writes through every mode; where it may not mount either, a directory of the kernel refuses it.
  await using child = childDrover(AS_ROOT && !MAY_MOUNT ? '/proc/drover-test' : dataDir, {
    wrapper: MAY_MOUNT ? readOnly(dataDir) : [],
  });

  const failed = await child.next();
  expect(failed).toMatchObject({ kind: 'failed', code: 'data-directory-unusable' });
  expect(failed.message).toContain('DATABASE_URL');
});

test('given a full disk, when Drover starts, then it says so and that nothing saved is lost', async (context) => {
  context.skip(!MAY_MOUNT, 'a small disk cannot be mounted here');
  await using directory = await temporaryDirectory();
  const small = `mount -t tmpfs -o size=8m,mode=755 none "$0" && exec "$@"`;

  await using child = childDrover(join(directory.path, 'data'), {
    wrapper: ['unshare', '-m', 'sh', '-c', small, directory.path],
  });

  const failed = await child.next();
  expect(failed).toMatchObject({ kind: 'failed', code: 'disk-full' });
  expect(failed.message).toContain('nothing saved is lost');
});

test('given a database whose files are gone, when Drover starts, then it says what to do; set aside, the next start makes an empty one', async () => {
  await using directory = await temporaryDirectory();
  const dataDir = join(directory.path, 'data');
  const first = await start(dataDir);
  await query(first.connectionString, 'create table kept as select 1 as one');
  const whileUp = setClusterAside({ dataDir, now: 0, log: () => {} });
  await expect(whileUp).rejects.toMatchObject({ code: 'in-use' });
  await first.stop();
  await rm(join(await homeOf(dataDir), 'pgdata', 'base'), { recursive: true });

  const broken = start(dataDir);
  await expect(broken).rejects.toMatchObject({ code: 'start-failed' });
  await expect(broken).rejects.toThrow('"drover doctor --repair --new-database" starts with an empty database');
  const aside = await setClusterAside({ dataDir, now: 0, log: () => {} });
  await using second = await start(dataDir);

  expect(aside).toMatch(/postgres\.damaged-1970-01-01T00-00-00Z$/u);
  expect(await readdir(join(aside ?? '', 'pgdata'))).toContain('PG_VERSION');
  expect(await query(second.connectionString, `select to_regclass('kept') as kept`)).toEqual([{ kept: null }]);
});

test.each([
  ['FATAL:  could not write lock file "postmaster.pid": No space left on device', 'disk-full'],
  ['initdb: error: could not create directory "x": Read-only file system', 'data-directory-unusable'],
  ['FATAL:  pre-existing shared memory block (key 5, ID 7) is still in use', 'still-stopping'],
  ['FATAL:  lock file "postmaster.pid" already exists', 'still-stopping'],
  ['FATAL:  invalid value for parameter "fsync": "maybe"', 'start-failed'],
])(
  'given a server whose last words are %j, when it has failed, then the error is %s and quotes them',
  (words, code) => {
    const error = serverError('start the database server', '/data', words);

    expect(error).toMatchObject({ code });
    expect(error.message + String(error.cause)).toContain(code === 'disk-full' ? 'No space' : words);
  },
);
