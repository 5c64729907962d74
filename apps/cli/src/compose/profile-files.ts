/** Reads the agent profiles of the user and of the root again when they change. */
import { watch } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import type { Log } from '@drover/base';
import { readProfileFiles } from '../profiles/files.ts';
import type { Profile } from '@drover/screen';

/** Milliseconds after the last change until a file is read: editors write a file in several steps. */
const SETTLE_MS = 200;

/** Calls back with all profiles whenever a file of these directories changes, until disposed. The first is made if it is missing. */
export async function watchProfileFiles(
  directories: readonly string[],
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
    use(await readProfileFiles(directories, (problem) => log('warn', problem)));
    log('info', 'Reloaded the agent profiles');
  };
  const changed = (): void => {
    cancel?.();
    cancel = after(SETTLE_MS, () => void readAgain());
  };
  const watchers = await Promise.all(
    directories.map(async (directory, index) => {
      // The user's directory is made, so that a first file in it is noticed; the root is the project's own place.
      if (index === 0) await mkdir(directory, { recursive: true }).catch(() => {});
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
