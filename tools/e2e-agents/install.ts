// How does a program in an exact version come onto this machine, without a script of its own being run?
import { execFile } from 'node:child_process';
import { access, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Release } from './versions.ts';

const run = promisify(execFile);
/** Milliseconds for one installation: the largest is 400 MB. */
const INSTALL_MS = 600_000;

/**
 * Installs a release with npm unless the cache has it, and says how it is started.
 *
 * @param cacheDir The directory of all releases; each gets one of its own in it.
 * @returns the program and its first arguments.
 */
export async function installed(
  release: Release,
  { agent, cacheDir }: { agent: string; cacheDir: string },
): Promise<readonly string[]> {
  const place = path.join(cacheDir, `${agent}-${release.version}`);
  const program = path.join(
    place,
    'node_modules',
    release.program.replaceAll('{platform}', `${process.platform}-${process.arch}`),
  );
  if (!(await exists(program))) await install(release, place);
  if (!(await exists(program)))
    throw new Error(`${release.package}@${release.version} has no ${program}: is there a program for this platform?`);
  return release.runsOnNode ? [process.execPath, program] : [program];
}

/** Into a directory beside it first: what is there under its name is whole. */
async function install({ package: name, version }: Release, place: string): Promise<void> {
  const fresh = `${place}.new`;
  await rm(fresh, { recursive: true, force: true });
  await mkdir(fresh, { recursive: true });
  await writeFile(path.join(fresh, 'package.json'), '{ "private": true }\n');
  // What its scripts would do (put the platform's program beside the launcher) is not needed: that program is started.
  const args = ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--save-exact', `${name}@${version}`];
  await run('npm', args, { cwd: fresh, timeout: INSTALL_MS });
  await rm(place, { recursive: true, force: true });
  await rename(fresh, place);
}

function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
