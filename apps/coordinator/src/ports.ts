/** What does the coordinator need of the world beside the store? Everything that a simulator replaces. */

/** Epoch milliseconds, and timers that can be cleared. */
export interface Clock {
  now(): number;
  /** Calls `run` once after `ms` milliseconds unless the returned function is called before. */
  after(ms: number, run: () => void): () => void;
  /** Asks anew whoever keeps the time. Absent where this computer does. @throws when there is no answer. */
  sync?(): Promise<void>;
}

/** The clock of this computer: somebody may set it, to a wrong time too. */
export interface LocalClock extends Clock {
  /** Milliseconds that only grow and that nobody can set; the starting point means nothing. */
  elapsed(): number;
}

/** Names and secrets that nobody has used. */
export interface Ids {
  /** A UUIDv7: new ones sort after old ones. `at` is its time, epoch milliseconds; absent: this computer's. */
  uuid(at?: number): string;
  /** A secret of 256 bits, in base64url. */
  secret(): string;
}

/** How much a line of the log matters: `error` needs a person, `warn` passes by itself. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error';
/** Writes one line. `fields` are for machines. Neither may hold a secret. */
export type Log = (level: LogLevel, message: string, fields?: Readonly<Record<string, unknown>>) => void;

/** Something happened that others in this process may want to look at. */
export interface Hints {
  /** Orders for this machine are in the outbox. */
  commands(machineId: string): void;
  /** This worker's history has a new line. */
  events(workerId: string): void;
  /** A deadline is armed for this time, epoch milliseconds. */
  due(at: number): void;
}
