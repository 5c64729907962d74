/** Port to a machine, whether it is this one or one reached over the network. */
import type { Files } from './port/files.ts';
import type { Machine } from './port/machine.ts';

/** Changes to the host's own environment: a string sets a variable, `undefined` removes it. */
export type EnvironmentChange = Readonly<Record<string, string | undefined>>;

export interface RunOptions {
  /** Absolute directory to run in. Default: the host's own. */
  readonly cwd?: string;
  readonly env?: EnvironmentChange;
  /** Bytes for standard input, which is then closed. Default: none. */
  readonly input?: string | Uint8Array;
  /** Milliseconds after which the program and all it started are killed. Written at every call. */
  readonly timeoutMs: number;
  /** Kills the program and all it started when it fires; the call then fails with `aborted`. */
  readonly signal?: AbortSignal;
  /** Bytes kept of each output. Default: 16 MiB. */
  readonly outputBytesMax?: number;
  /** Reaction to a program that writes more: `kill` kills it, and the call fails; `drop` drops the rest, and the program goes on. Default: `kill`. */
  readonly excess?: 'kill' | 'drop';
}

/** End of a program. A status other than 0 is an outcome, not an error. */
export interface RunOutcome {
  /** Exit status, or `undefined` when a signal ended the program. */
  readonly status: number | undefined;
  /** Name such as `SIGKILL`, or `undefined` when the program exited by itself. */
  readonly signal: string | undefined;
  readonly stdout: string;
  readonly stdoutBytes: Uint8Array;
  readonly stderr: string;
  /** Tells whether the deadline passed and the host killed the program. */
  readonly timedOut: boolean;
}

interface StreamOptions {
  readonly cwd?: string;
  readonly env?: EnvironmentChange;
}

export interface StreamExit {
  readonly status: number | undefined;
  readonly signal: string | undefined;
  /** The last 4 KiB of standard error, for messages to people. */
  readonly stderr: string;
}

/** A running program as two streams of bytes. */
export interface ByteStream {
  /** Standard output; read it by one reader until it ends. */
  readonly output: AsyncIterable<Uint8Array>;
  /** Resolves when the program has ended; never rejects. */
  readonly exit: Promise<StreamExit>;
  /** Queues bytes for standard input. After the end of the program they are dropped. */
  write(bytes: string | Uint8Array): void;
  /** Closes standard input. */
  end(): void;
  /** Kills the program at once. */
  kill(): void;
}

/** Programs of a machine, given as a name and an array, never as a shell string. */
export interface ProgramRunner {
  /** @throws HostError when the program could not be started or was stopped by a limit. */
  run(program: string, args: readonly string[], options: RunOptions): Promise<RunOutcome>;
  /** @throws HostError when the program could not be started. */
  spawnStream(program: string, args: readonly string[], options?: StreamOptions): Promise<ByteStream>;
}

/**
 * A machine. Every call may throw a HostError: `unreachable` (nothing was done) or `connection-lost` (what it has done is unknown).
 * A host is an object whose functions need no `this`: callers take single ones, and replace some in a copy.
 */
export interface Host extends ProgramRunner, Files, Machine {}
