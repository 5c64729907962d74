/** Declares everything that the coordinator needs of the world beside the store, and that a simulator replaces. */

/** Ids and secrets that were never used before. */
export interface Ids {
  /** Makes a UUIDv7: new ids sort after old ones. `at` is the time in the id, epoch milliseconds; absent: this computer's. */
  uuid(at?: number): string;
  /** Makes a secret of 256 bits, in base64url. */
  secret(): string;
}

/** Tells other parts of this process that there is something to do. */
export interface Hints {
  /** Tells that the outbox has commands for this machine. */
  commands(machineId: string): void;
  /** Tells that this worker's history has a new line. */
  events(workerId: string): void;
  /** Tells that a deadline is armed for this time, epoch milliseconds. */
  due(at: number): void;
}
