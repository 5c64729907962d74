/** Ports of the driver to the world. */

/** Changes to a program's inherited environment: `undefined` removes a variable. */
export type EnvironmentChange = Readonly<Record<string, string | undefined>>;

/** End of a program, with its output. */
export interface RunOutcome {
  readonly status: number | undefined;
  readonly stdoutBytes: Uint8Array;
  readonly stderr: string;
  readonly timedOut: boolean;
}

/** Running program as two streams of bytes: a child process, or a channel of an SSH connection. */
export interface ByteStream {
  readonly output: AsyncIterable<Uint8Array>;
  /** Resolves when the program has ended. */
  readonly exit: Promise<{ readonly stderr: string }>;
  write(bytes: string): void;
  /** Closes the program's input. */
  end(): void;
  kill(): void;
}

/** Machine on which tmux runs. */
export interface Host {
  run(
    program: string,
    args: readonly string[],
    options: {
      readonly env?: EnvironmentChange;
      readonly input?: string;
      readonly timeoutMs: number;
      readonly outputBytesMax?: number;
    },
  ): Promise<RunOutcome>;
  spawnStream(
    program: string,
    args: readonly string[],
    options: { readonly env?: EnvironmentChange },
  ): Promise<ByteStream>;
  /** Connection to the machine. Absent: it is this one. */
  readonly link?: {
    /** Milliseconds of a round trip. */
    readonly roundTripMs: number;
  };
  /** Takes the time that the machine reported (epoch seconds), with the moments here before and after. Absent: its clock is the one here. */
  readonly noteTime?: (reading: { readonly second: number; readonly before: number; readonly after: number }) => void;
  stat(path: string): Promise<{ readonly kind: 'file' | 'directory' | 'other' } | undefined>;
  readonly processes: {
    /** Tells whether a process can still act; a process that waits to be collected cannot. */
    isRunning(pid: number): Promise<boolean>;
    /** Word that tells a process from others with the same id, before or after it; `undefined` where the system has none. */
    startOf(pid: number): Promise<string | undefined>;
    signal(pid: number, signal: 'SIGTERM' | 'SIGKILL' | 'SIGUSR1'): Promise<boolean>;
  };
}
