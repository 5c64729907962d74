/** Notices changes of files in a directory. A hint only: readers poll the files anyway, in case one is missed. */
import type { Host, HostWatch } from '@drover/host';

/** Watches directories that may not exist yet. */
export class DirectoryWatch implements Disposable {
  readonly #host: Pick<Host, 'watch'>;
  readonly #watches = new Map<string, HostWatch | 'opening'>();
  readonly #onFile: (name: string) => void;
  #isOver = false;

  /** @param onFile Called with the name of a file that changed, without its directory. */
  constructor(host: Pick<Host, 'watch'>, onFile: (name: string) => void) {
    this.#host = host;
    this.#onFile = onFile;
  }

  /** Watches a directory from now on, if it exists and the system allows it; safe to repeat. Never rejects. */
  async add(directory: string): Promise<void> {
    if (this.#isOver || this.#watches.has(directory)) return;
    this.#watches.set(directory, 'opening');
    // The next call retries a failed watch; until then files are polled.
    const watch = await this.#host.watch(directory, this.#onFile).catch(() => undefined);
    if (watch === undefined || this.#isOver) {
      this.#watches.delete(directory);
      watch?.[Symbol.dispose]();
      return;
    }
    this.#watches.set(directory, watch);
    void this.#forgetAtEnd(directory, watch);
  }

  async #forgetAtEnd(directory: string, watch: HostWatch): Promise<void> {
    await watch.ended;
    if (this.#watches.get(directory) === watch) this.#watches.delete(directory);
  }

  [Symbol.dispose](): void {
    this.#isOver = true;
    for (const watch of this.#watches.values()) if (watch !== 'opening') watch[Symbol.dispose]();
    this.#watches.clear();
  }
}
