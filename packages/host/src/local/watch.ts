/** Watches a directory of this machine for changed files. */
import { watch, type FSWatcher } from 'node:fs';
import { basename } from 'node:path';

import type { Machine } from '../port/machine.ts';

/** Watches a directory by the system's own hints. */
export const watchDirectory: Machine['watch'] = (directory, onName) => {
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  let watcher: FSWatcher;
  try {
    watcher = watch(directory, { persistent: false }, (event, name) => {
      if (name !== null) onName(name);
      // A directory that is removed names itself; one that is made in its place is another one.
      if (event === 'rename' && name === basename(directory)) watcher.close();
    });
  } catch {
    return Promise.resolve(undefined);
  }
  watcher.on('error', () => watcher.close());
  watcher.on('close', resolve);
  return Promise.resolve({ ended, [Symbol.dispose]: () => watcher.close() });
};
