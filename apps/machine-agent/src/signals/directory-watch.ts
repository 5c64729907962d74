/** When does a file in a directory change? A hint only: readers that miss one still look from time to time. */
import { watch, type FSWatcher } from 'node:fs';

/** Watches directories that may not exist yet. */
export class DirectoryWatch implements Disposable {
  readonly #watchers = new Map<string, FSWatcher>();
  readonly #onFile: (name: string) => void;

  /** @param onFile Called with the name of a file that changed, without its directory. */
  constructor(onFile: (name: string) => void) {
    this.#onFile = onFile;
  }

  /** Watches a directory from now on, if it exists and the system allows it; safe to repeat. */
  add(directory: string): void {
    if (this.#watchers.has(directory)) return;
    try {
      const watcher = watch(directory, { persistent: false }, (_event, name) => {
        if (name !== null) this.#onFile(name);
      });
      watcher.on('error', () => this.#drop(directory));
      this.#watchers.set(directory, watcher);
    } catch {
      // It is tried again at the next call; until then files are read from time to time.
    }
  }

  [Symbol.dispose](): void {
    for (const directory of this.#watchers.keys()) this.#drop(directory);
  }

  #drop(directory: string): void {
    this.#watchers.get(directory)?.close();
    this.#watchers.delete(directory);
  }
}
