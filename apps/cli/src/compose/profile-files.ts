/** Reads the agent profiles of the user and of the root, checks them, and reads them again when they change. */
import { watch } from 'node:fs';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Paths } from '@drover/config';
import { BUILT_IN_PROFILES, loadProfile } from '@drover/screen';
import type { Profile } from '@drover/screen';
import type { Log } from './log.ts';

/** Milliseconds after the last change until a file is read: editors write a file in several steps. */
const SETTLE_MS = 200;

/** Lists directories in order of precedence: files of the root override those of the user, and both override those of the build. */
function directories({ configDir, root }: Paths): readonly string[] {
  return [path.join(configDir, 'profiles'), path.join(root, '.drover', 'profiles')];
}

/** Reads all profiles by name. An invalid file is reported and left out: the others still hold. */
export async function readProfileFiles(paths: Paths, log: Log): Promise<ReadonlyMap<string, Profile>> {
  const profiles = new Map(BUILT_IN_PROFILES);
  for (const directory of directories(paths)) {
    const names = await readdir(directory).catch((): string[] => []);
    for (const name of names.filter((one) => one.endsWith('.json')).toSorted()) {
      const profile = await readProfileFile(path.join(directory, name), log);
      if (profile !== null) profiles.set(profile.id, profile);
    }
  }
  return profiles;
}

async function readProfileFile(file: string, log: Log): Promise<Profile | null> {
  try {
    const loaded = loadProfile(JSON.parse(await readFile(file, 'utf8')));
    if (loaded.kind === 'ok') return loaded.profile;
    log(
      'warn',
      `${file} is not a valid profile, so Drover ignores it: ${loaded.problems.map((problem) => `${problem.path}: ${problem.message}`).join('; ')}`,
    );
  } catch (error) {
    log(
      'warn',
      `${file} is not a valid profile, so Drover ignores it: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  return null;
}

/** Calls back with all profiles whenever a file of the root's directory changes, until disposed. */
export async function watchProfileFiles(
  paths: Paths,
  {
    log,
    after,
    use,
  }: {
    log: Log;
    after: (ms: number, run: () => void) => () => void;
    use: (profiles: ReadonlyMap<string, Profile>) => void;
  },
): Promise<Disposable> {
  let cancel: (() => void) | undefined;
  const readAgain = async (): Promise<void> => {
    use(await readProfileFiles(paths, log));
    log('info', 'Reloaded the agent profiles');
  };
  const changed = (): void => {
    cancel?.();
    cancel = after(SETTLE_MS, () => void readAgain());
  };
  const watchers = await Promise.all(
    directories(paths).map(async (directory) => {
      // The user's directory is made, so that a first file in it is noticed; the root is the project's own place.
      if (directory.startsWith(paths.configDir)) await mkdir(directory, { recursive: true }).catch(() => {});
      return tryWatch(directory, changed, log);
    }),
  );
  return {
    [Symbol.dispose]: () => {
      cancel?.();
      for (const watcher of watchers) watcher?.close();
    },
  };
}

function tryWatch(directory: string, changed: () => void, log: Log): ReturnType<typeof watch> | null {
  try {
    return watch(directory, changed).on('error', () => {});
  } catch (error) {
    log('debug', `Cannot watch ${directory} for changes: ${String(error)}`);
    return null;
  }
}
