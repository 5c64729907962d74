/** Keeps small files of a simulated machine: the part of a disk that results of runs lie on. */
import type { Files } from '@drover/host';

interface SimFile {
  readonly text: string;
  readonly at: number;
}

type Used = 'lstat' | 'mkdir' | 'readdir' | 'readRange' | 'removeTree' | 'writeFile';

/** Whole files by their path. Every call is done at once. */
export class SimFiles implements Pick<Files, Used> {
  readonly #files = new Map<string, SimFile>();
  readonly #now: () => number;

  /** @param now The machine's clock, which the times of files are by. */
  constructor(now: () => number) {
    this.#now = now;
  }

  textAt(path: string): string | null {
    return this.#files.get(path)?.text ?? null;
  }

  writeNow(path: string, text: string): void {
    this.#files.set(path, { text, at: this.#now() });
  }

  removeNow(path: string): void {
    this.#files.delete(path);
  }

  readonly mkdir: Files['mkdir'] = () => Promise.resolve();

  readonly writeFile: Files['writeFile'] = (path, content) => {
    this.writeNow(path, String(content));
    return Promise.resolve();
  };

  readonly removeTree: Files['removeTree'] = (path) => {
    this.removeNow(path);
    return Promise.resolve();
  };

  readonly readdir: Files['readdir'] = (path) => {
    const names = [...this.#files.keys()].filter((one) => one.startsWith(`${path}/`));
    return Promise.resolve(names.map((name) => ({ name: name.slice(path.length + 1), kind: 'file' })));
  };

  readonly readRange: Files['readRange'] = (path, { from, bytesMax }) => {
    const file = this.#files.get(path);
    if (file === undefined) return Promise.resolve(undefined);
    const all = Buffer.from(file.text);
    return Promise.resolve({ bytes: all.subarray(from, from + bytesMax), size: all.length, modifiedAt: file.at });
  };

  readonly lstat: Files['lstat'] = (path) => {
    const file = this.#files.get(path);
    if (file === undefined) return Promise.resolve(undefined);
    return Promise.resolve({ kind: 'file', size: Buffer.byteLength(file.text), modifiedAt: file.at, ...ALONE });
  };
}

const ALONE = { links: 1, inode: 1 } as const;
