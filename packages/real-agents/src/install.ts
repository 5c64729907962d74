// Installs a program in an exact version on this machine, without running a script of its own.
import { execFile } from 'node:child_process';
import { access, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Release } from './versions.ts';

const run = promisify(execFile);
/** Milliseconds for one installation: the largest is 400 MB. */
const INSTALL_MS = 600_000;

/** Release and the directory that holds it. */
type Shelf = { readonly agent: string; readonly cacheDir: string };

/**
 * Returns the directory of releases. Another user must be able to start programs there, and root's own cache is closed to others.
 *
 * @param xdgCacheHome The variable `XDG_CACHE_HOME`; only an absolute path counts.
 */
export function cacheDirectory({
  xdgCacheHome,
  home,
  isRoot,
}: {
  xdgCacheHome: string | undefined;
  home: string;
  isRoot: boolean;
}): string {
  const isGiven = xdgCacheHome !== undefined && path.isAbsolute(xdgCacheHome);
  const base = isGiven ? xdgCacheHome : isRoot ? '/var/cache' : path.join(home, '.cache');
  return path.join(base, 'drover/agents');
}

/**
 * Says how a release that the cache has is started.
 *
 * @returns the program and its first arguments; null when it is not installed.
 */
export async function found(release: Release, shelf: Shelf): Promise<readonly string[] | null> {
  const program = programOf(release, shelf);
  if (!(await exists(program))) return null;
  return release.runsOnNode ? [process.execPath, program] : [program];
}

/**
 * Installs a release with npm unless the cache has it, and says how it is started.
 *
 * @returns the program and its first arguments.
 */
export async function installed(release: Release, shelf: Shelf): Promise<readonly string[]> {
  const before = await found(release, shelf);
  if (before !== null) return before;
  await install(release, directoryOf(release, shelf));
  const after = await found(release, shelf);
  if (after === null) {
    const program = programOf(release, shelf);
    throw new Error(`${release.package}@${release.version} has no ${program}: is there a program for this platform?`);
  }
  return after;
}

function directoryOf({ version }: Release, { agent, cacheDir }: Shelf): string {
  return path.join(cacheDir, `${agent}-${version}`);
}

function programOf(release: Release, shelf: Shelf): string {
  const file = release.program.replaceAll('{platform}', `${process.platform}-${process.arch}`);
  return path.join(directoryOf(release, shelf), 'node_modules', file);
}

/** Into a directory beside it first: what is there under its name is whole. */
async function install({ package: name, version }: Release, place: string): Promise<void> {
  const fresh = `${place}.new`;
  await rm(fresh, { recursive: true, force: true });
  await mkdir(fresh, { recursive: true });
  await writeFile(path.join(fresh, 'package.json'), '{ "private": true }\n');
  // The install scripts are not needed: they would put the platform's program beside the launcher, and that program is started here.
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
