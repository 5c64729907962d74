/**
 * Defines what this package needs from the machine it works on: two ports, and for parcels a third. The same functions
 * then serve the local machine and one that is reached over SSH.
 */

/** Options for running one program. Every call has a deadline. */
export interface RunOptions {
  readonly cwd?: string;
  /** Changes to the environment the program would have anyway: a string sets a variable, `undefined` removes it. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Text for standard input, which is then closed. Without it standard input is empty. */
  readonly input?: string;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  /** Bytes kept of each of stdout and stderr; what comes after them is dropped and the program goes on. */
  readonly maxOutputBytes?: number;
}

/** Result of a program. A status that is not zero is a result, not an exception; so is 127, as a shell says it: there is no such program. */
export interface RunResult {
  readonly status: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly timedOut: boolean;
}

/** Runs a program with an argument array; never a shell. Ends it, and what it started, at the deadline. */
export type RunCommand = (program: string, args: readonly string[], options: RunOptions) => Promise<RunResult>;

/** Facts about a path; a symbolic link is not followed. */
interface FileFacts {
  readonly kind: 'file' | 'directory' | 'symlink' | 'other';
  readonly sizeBytes: number;
}

/** The few file operations that git has no command for. Paths are absolute. */
export interface Files {
  /** The text (UTF-8) of at most the first `maxBytes` bytes, or undefined when there is no such file. */
  readFile(path: string, options: { readonly maxBytes: number }): Promise<string | undefined>;
  writeFile(path: string, text: string): Promise<void>;
  /** Undefined when nothing is there. */
  stat(path: string): Promise<FileFacts | undefined>;
  /** The path without symbolic links, or undefined when nothing is there. */
  realpath(path: string): Promise<string | undefined>;
  /** The names in a directory, or an empty list when there is no such directory. */
  list(path: string): Promise<readonly string[]>;
  /** Makes the directory and those above it. Does nothing when it exists. */
  mkdir(path: string): Promise<void>;
  /** Removes a file or a directory with all in it. Does nothing when it does not exist. */
  rm(path: string): Promise<void>;
  /**
   * Copies one file over any older one, with its mode and its time of last change: git's index relies on both. With `flush` the copy is on
   * the disk when it returns, and survives a power cut.
   */
  copy(from: string, to: string, options?: { readonly flush?: boolean }): Promise<void>;
  /** Renames in one step, on one file system. */
  rename(from: string, to: string): Promise<void>;
}

/** The SHA-256 of a file's bytes in lower-case hexadecimal. @throws when the file cannot be read. */
export type Sha256Of = (path: string) => Promise<string>;
