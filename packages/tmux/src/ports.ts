/** What does the driver need from the world? */

/** Changes to a program's inherited environment: `undefined` removes a variable. */
export type EnvironmentChange = Readonly<Record<string, string | undefined>>;

/** How a program ended, with what it wrote. */
export interface RunOutcome {
  readonly status: number | undefined;
  readonly stdoutBytes: Uint8Array;
  readonly stderr: string;
  readonly timedOut: boolean;
}

/** A running program as two streams of bytes: a child process, or a channel of an SSH connection. */
export interface ByteStream {
  readonly output: AsyncIterable<Uint8Array>;
  /** Resolves when the program has ended. */
  readonly exit: Promise<{ readonly stderr: string }>;
  write(bytes: string): void;
  /** Closes the program's input. */
  end(): void;
  kill(): void;
}

/** The machine on which tmux runs. */
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
  /** The way to the machine. Absent: it is this one. */
  readonly link?: {
    /** Milliseconds that a question and its answer are under way. */
    readonly roundTripMs: number;
  };
  /** Hears what the machine said of its time (epoch seconds), and between which moments here it did. Absent: its clock is the one here. */
  readonly noteTime?: (reading: { readonly second: number; readonly before: number; readonly after: number }) => void;
  stat(path: string): Promise<{ readonly kind: 'file' | 'directory' | 'other' } | undefined>;
  readonly processes: {
    /** Whether a process can still do anything; one that waits to be collected cannot. */
    isRunning(pid: number): Promise<boolean>;
    /** A word that tells a process from others that had or get its number; `undefined` where the system has none. */
    startOf(pid: number): Promise<string | undefined>;
    signal(pid: number, signal: 'SIGTERM' | 'SIGKILL' | 'SIGUSR1'): Promise<boolean>;
  };
}

/** Time. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
  /** Calls `run` once after `delayMs` milliseconds. @returns a function that cancels it. */
  setTimer(delayMs: number, run: () => void): () => void;
}

/** Resolves after `delayMs` milliseconds of the given clock. */
export function pause(clock: Clock, delayMs: number): Promise<void> {
  return new Promise((resolve) => clock.setTimer(delayMs, resolve));
}
