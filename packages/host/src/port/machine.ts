/** Port to a machine, besides its programs and its files. */
import type { Duplex } from 'node:stream';

/** Facts about a machine; they stay the same until it starts again. */
export interface HostFacts {
  readonly hostname: string;
  /** Platform in Node's words, such as `linux` or `darwin`. */
  readonly platform: string;
  /** Time zone, such as `Europe/Berlin`. */
  readonly zone: string;
  /** Id of the boot, another after each start of the machine; null where the system does not tell. */
  readonly bootId: string | null;
  /** The user's home directory. */
  readonly home: string;
}

/** Load of a machine. */
export interface HostLoad {
  /** Processors that programs may use. */
  readonly processors: number;
  /** Programs that ran or waited to run, on average over a minute. */
  readonly load: number;
  /** `freeBytes`: what programs can still get. */
  readonly memory: { readonly bytes: number; readonly freeBytes: number };
}

/** Signals that Drover sends to processes. */
export type SignalName = 'SIGTERM' | 'SIGKILL' | 'SIGUSR1';

/** Processes of a machine, by their numbers. */
export interface Processes {
  /** Tells whether a process can still do anything; one that only waits to be collected by its parent cannot. */
  isRunning(pid: number): Promise<boolean>;
  /**
   * A word that no other process with this number has had or will have until the machine starts again.
   *
   * @returns `undefined` when there is no such process, or the machine has no /proc.
   */
  startOf(pid: number): Promise<string | undefined>;
  /** @param pid A negative one names a process group. @returns false when there is no such process. */
  signal(pid: number, signal: SignalName): Promise<boolean>;
}

/** The loopback address and the Unix sockets of a machine, as programs on it see them. */
export interface Loopback {
  /** A port that was free a moment ago. */
  freePort(): Promise<number>;
  /** Connects to a port of 127.0.0.1, or to a Unix socket by its path. @throws when nothing listens there or the way is forbidden. */
  connect(to: number | string): Promise<Duplex>;
}

/** Tells whether calls reach the machine now. */
export type LinkState =
  | { readonly kind: 'up' }
  /** `why`: one sentence for people. */
  | { readonly kind: 'down'; readonly why: string };

/** Connection to a machine. The connection to the local machine is always up and takes no time. */
export interface HostLink {
  readonly state: LinkState;
  /** Milliseconds that a question and its answer are under way, as measured last. */
  readonly roundTripMs: number;
  /** Calls `listener` after each change of the state. @returns a function that ends that. */
  onChange(listener: (state: LinkState) => void): () => void;
}

/** Time of a machine, as it said, and between which moments of this process (epoch milliseconds) it did. */
export interface TimeReading {
  /** Epoch seconds. */
  readonly second: number;
  readonly before: number;
  readonly after: number;
}

/** A machine itself. */
export interface Machine {
  readonly processes: Processes;
  readonly loopback: Loopback;
  readonly link: HostLink;
  facts(): Promise<HostFacts>;
  load(): Promise<HostLoad>;
  /** The variables that programs inherit; those of the caller's own process are among them on the local machine alone. */
  environment(): Promise<Readonly<Record<string, string>>>;
  /** Milliseconds that the machine's clock is ahead of this process's, as measured last. */
  clockOffsetMs(): number;
  /** Hears what the machine said of its time with another answer, so that a clock that was set is noticed without a question of its own. */
  noteTime(reading: TimeReading): void;
  /** The file that is started for a program's name, or for an absolute path; `undefined` when none may be started. */
  findProgram(program: string): Promise<string | undefined>;
  /** The file system that a path is on, or would be on. @returns `undefined` when it cannot be told. */
  disk(path: string): Promise<{ readonly bytes: number; readonly freeBytes: number } | undefined>;
  /**
   * Calls `onName` with the name of a file in a directory after it changed: a hint only, names may be lost or told twice. If the system reports
   * nothing, writers of a file add its name as a line to the file `news` of the directory.
   *
   * @returns `undefined` when the directory is not there or cannot be watched. `ended` resolves when hints come no more.
   */
  watch(directory: string, onName: (name: string) => void): Promise<HostWatch | undefined>;
  /** Tells whether such lines are all that {@link Machine.watch} hears. Default: false. */
  readonly hintsByNews?: boolean;
}

/** A watch of a directory. Disposing it ends it. */
export interface HostWatch extends Disposable {
  readonly ended: Promise<void>;
}
