/** Port to the files of a machine. Paths are absolute. */

/** Facts about what a path leads to, links followed. */
export interface FileStat {
  readonly kind: 'file' | 'directory' | 'other';
  readonly size: number;
  /** Time of the last change, epoch milliseconds of the machine's own clock: `clockOffsetMs` of the host tells how far that is off. */
  readonly modifiedAt: number;
  /** Names that the file has. */
  readonly links: number;
  /** Number of the file; it changes when another file takes the place. */
  readonly inode: number;
}

/** Facts about a path itself. */
export interface PathStat extends Omit<FileStat, 'kind'> {
  readonly kind: FileStat['kind'] | 'link';
}

/** Name in a directory; links are not followed. */
export interface DirectoryEntry {
  readonly name: string;
  readonly kind: 'file' | 'directory' | 'other';
}

export interface WriteOptions {
  /** Permissions of a new file, less those that the umask takes. Default: `0o600`. */
  readonly mode?: number;
  /**
   * Writes into the file that is there, through a link too: it keeps its permissions and its inode, and a reader may see a part.
   * Without it, readers see the old file or the new one, and the new one has `mode`.
   */
  readonly inPlace?: boolean;
}

/** A piece of a file. */
export interface FileRange {
  readonly bytes: Uint8Array;
  /** Bytes of the whole file, and its last change, when the piece was read. */
  readonly size: number;
  readonly modifiedAt: number;
}

/**
 * The files of a machine.
 *
 * An operation that the system refuses throws an error whose `code` is the system's name of the reason, such as `ENOENT`, `EACCES`,
 * `EISDIR`, `ENOSPC`. "Nothing there" means `ENOENT` or `ENOTDIR`.
 */
export interface Files {
  /**
   * @param options.bytesMax Only so many bytes from the start. Default: all.
   * @returns the bytes, or `undefined` when nothing is there.
   */
  readFile(path: string, options?: { readonly bytesMax?: number }): Promise<Uint8Array | undefined>;
  /**
   * Reads a piece of a file that a program in a pane may have written: it neither follows a link nor waits at a pipe.
   *
   * @returns fewer bytes at the end of the file, none beyond it; `undefined` when there is no such file, it is a link or no file
   * at all, or it cannot be read.
   */
  readRange(path: string, range: { readonly from: number; readonly bytesMax: number }): Promise<FileRange | undefined>;
  /**
   * The lines that lie whole in the last `bytesMax` bytes of such a file, oldest first, and when it was changed.
   *
   * @returns `undefined` as {@link readRange} does, and when the last line has no end yet.
   */
  tailLines(
    path: string,
    options: { readonly bytesMax: number },
  ): Promise<{ readonly lines: readonly string[]; readonly modifiedAt: number } | undefined>;
  /** The SHA-256 of a file's bytes in lower-case hexadecimal. @throws when it cannot be read. */
  sha256(path: string): Promise<string>;
  /** Writes a whole file. */
  writeFile(path: string, content: string | Uint8Array, options?: WriteOptions): Promise<void>;
  /** Adds to the end of a file. `mode`: permissions of a new one, less those that the umask takes. Default: `0o600`. */
  appendFile(path: string, content: string | Uint8Array, options?: { readonly mode?: number }): Promise<void>;
  /** Cuts a file after its first `size` bytes. @throws when nothing is there. */
  truncate(path: string, size: number): Promise<void>;
  /** @returns `undefined` when there is nothing at this path. Links are followed. */
  stat(path: string): Promise<FileStat | undefined>;
  /** @returns `undefined` when there is nothing at this path. A link at its end is not followed. */
  lstat(path: string): Promise<PathStat | undefined>;
  /** The path without links. @returns `undefined` when there is nothing at its end. */
  realpath(path: string): Promise<string | undefined>;
  /** @returns `undefined` when there is no such directory. */
  readdir(path: string): Promise<readonly DirectoryEntry[] | undefined>;
  /** Creates a directory and its parents; does nothing when it exists. `mode` is that of all new ones. Default: `0o700`. */
  mkdir(path: string, options?: { readonly mode?: number }): Promise<void>;
  /**
   * Copies one file over any older one, with its permissions and its time of last change; a link is followed. With `flush` the copy is on
   * the disk when it returns, and survives a power cut. @throws when there is none to copy.
   */
  copy(from: string, to: string, options?: { readonly flush?: boolean }): Promise<void>;
  /** Renames in one step, over any older file. Both paths are on one file system. */
  rename(from: string, to: string): Promise<void>;
  /** Removes a file, or a link and not what it leads to; does nothing when there is none. */
  removeFile(path: string): Promise<void>;
  /** Removes a file, a link, or a directory with all in it; does nothing when there is none. */
  removeTree(path: string): Promise<void>;
}
