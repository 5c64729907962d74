// Finds the server programs of Postgres where operating systems keep them.
import { readdir, stat } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

/** Parents of one directory per version: Debian and Ubuntu; Red Hat and SUSE; Homebrew on Apple and Intel processors. */
const VERSIONED = [
  { parent: '/usr/lib/postgresql', name: /^(\d+)$/ },
  { parent: '/usr', name: /^pgsql-(\d+)$/ },
  { parent: '/opt/homebrew/opt', name: /^postgresql@(\d+)$/ },
  { parent: '/usr/local/opt', name: /^postgresql@(\d+)$/ },
] as const;

const PLAIN = ['/opt/homebrew/bin', '/usr/local/bin', '/usr/bin', '/usr/local/pgsql/bin'] as const;

/** Lists every existing directory that holds a `postgres` program: per version, newest first, then those of PATH and the usual ones. */
export async function machineDirectories(searchPath: string): Promise<readonly string[]> {
  if (process.platform === 'win32') return [];
  const perVersion = (await Promise.all(VERSIONED.map(versionsIn))).flat().sort((a, b) => b.major - a.major);
  const onPath = searchPath.split(delimiter).filter((directory) => directory !== '');
  const all = new Set([...perVersion.map(({ directory }) => directory), ...onPath, ...PLAIN]);
  const holds = await Promise.all(
    [...all].map(async (directory) => ((await holdsServer(directory)) ? directory : undefined)),
  );
  return holds.filter((directory) => directory !== undefined);
}

async function versionsIn({
  parent,
  name,
}: (typeof VERSIONED)[number]): Promise<{ major: number; directory: string }[]> {
  const entries = await readdir(parent).catch(() => []);
  return entries.flatMap((entry) => {
    const major = name.exec(entry)?.[1];
    return major === undefined ? [] : [{ major: Number(major), directory: join(parent, entry, 'bin') }];
  });
}

async function holdsServer(directory: string): Promise<boolean> {
  const found = await stat(join(directory, 'postgres')).catch(() => undefined);
  return found?.isFile() === true;
}
