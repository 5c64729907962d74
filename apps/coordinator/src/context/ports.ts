/** Declares everything that the coordinator needs of the world beside the store, and that a simulator replaces. */

/** Epoch milliseconds, and timers that can be cleared. */
export interface Clock {
  now(): number;
  /** Calls `run` once after `ms` milliseconds unless the returned function is called before. */
  after(ms: number, run: () => void): () => void;
  /** Asks the time server again. Absent for this computer's own clock. @throws when there is no answer. */
  sync?(): Promise<void>;
}

/** Clock of this computer: a person may set it, to a wrong time too. */
export interface LocalClock extends Clock {
  /** Milliseconds that only grow and cannot be set; the starting point means nothing. */
  elapsed(): number;
}

/** Ids and secrets that were never used before. */
export interface Ids {
  /** Makes a UUIDv7: new ids sort after old ones. `at` is the time in the id, epoch milliseconds; absent: this computer's. */
  uuid(at?: number): string;
  /** Makes a secret of 256 bits, in base64url. */
  secret(): string;
}

/** Level of a log line: `error` needs a person, `warn` passes by itself. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error';
/** Writes one line. `fields` are for machines. Neither may hold a secret. */
export type Log = (level: LogLevel, message: string, fields?: Readonly<Record<string, unknown>>) => void;

/** Tells other parts of this process that there is something to do. */
export interface Hints {
  /** Tells that the outbox has commands for this machine. */
  commands(machineId: string): void;
  /** Tells that this worker's history has a new line. */
  events(workerId: string): void;
  /** Tells that a deadline is armed for this time, epoch milliseconds. */
  due(at: number): void;
}
