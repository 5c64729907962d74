/** Finds the profiles of the user and of the root. */
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { userConfigDir } from '@drover/config/surroundings';
import type { Paths } from '@drover/config/surroundings';
import { BUILT_IN_PROFILES } from '@drover/screen';
import type { Profile } from '@drover/screen';
import type { Surroundings } from '../surroundings.ts';
import { readProfileFile } from './document.ts';

const ENDS = /\.(?:json|toml)$/u;

/** Lists directories in order of precedence: files of the root override those of the user, and both override those of the build. */
export function profileDirectories({ configDir, root }: Pick<Paths, 'configDir' | 'root'>): readonly string[] {
  return [userProfiles(configDir), path.join(root, '.drover', 'profiles')];
}

/** Lists the directories for a command, which may be typed outside of a root. */
export function directoriesFor({ environment, paths }: Pick<Surroundings, 'environment' | 'paths'>): readonly string[] {
  return paths === null ? [userProfiles(userConfigDir(environment, process.platform))] : profileDirectories(paths);
}

/** Directory of the user's own profiles, for every project. */
function userProfiles(configDir: string): string {
  return path.join(configDir, 'profiles');
}

/** Reads all profiles by name. An invalid file is reported and left out: the others still hold. */
export async function readProfileFiles(
  directories: readonly string[],
  warn: (problem: string) => void,
): Promise<ReadonlyMap<string, Profile>> {
  const profiles = new Map(BUILT_IN_PROFILES);
  for (const file of await profileFiles(directories)) {
    const read = await readProfileFile(file);
    if (read.kind === 'read') profiles.set(read.profile.id, read.profile);
    else warn(`${read.problem}; Drover ignores it`);
  }
  return profiles;
}

/** Finds the file of a profile by its id; the last directory that has one wins. An invalid file counts by its name. */
export async function profileFileOf(name: string, directories: readonly string[]): Promise<string | undefined> {
  let found: string | undefined;
  for (const file of await profileFiles(directories)) {
    const read = await readProfileFile(file);
    const id = read.kind === 'read' ? read.profile.id : path.basename(file).replace(ENDS, '');
    if (id === name) found = file;
  }
  return found;
}

async function profileFiles(directories: readonly string[]): Promise<readonly string[]> {
  const lists = await Promise.all(
    directories.map(async (directory) => {
      const names = await readdir(directory).catch((): string[] => []);
      return names
        .filter((name) => ENDS.test(name))
        .toSorted()
        .map((name) => path.join(directory, name));
    }),
  );
  return lists.flat();
}
