// What must happen at a time.

/** Something that is due. `key` is unique within `kind`. */
export interface DueWork {
  readonly kind:
    | 'worker-deadline'
    | 'worker-event'
    | 'patrol'
    | 'account'
    | 'queue'
    | 'move'
    | 'leave-place'
    | 'drain'
    | 'project'
    | 'escalation';
  readonly key: string;
  readonly dueAt: number;
  readonly payload: unknown;
}

/** What is done to due work inside a transaction. */
export interface DueWorkTransaction {
  /** Replaces the whole set of a worker's deadlines. */
  setDeadlines(workerId: string, deadlines: Readonly<Record<string, number>>): Promise<void>;
  schedule(work: readonly DueWork[]): Promise<void>;
  /** Removes the row unless it was armed for another time since. */
  finishDueWork(work: DueWork): Promise<void>;
}

/** What is read or written of due work by itself. */
export interface DueWorkStore {
  /**
   * The clock of the database, epoch milliseconds: the one time that all replicas share (docs/adr/0072). Not repeated: an
   * answer is of use only to a caller that knows when it asked.
   */
  readClock(): Promise<number>;
  /** Leases due rows to the caller, oldest first. A row whose lease ran out can be claimed again. */
  claimDueWork(now: number, options: { readonly limit: number; readonly leaseMs: number }): Promise<readonly DueWork[]>;
  /** When the next row is due, if any. */
  nextDueAt(): Promise<number | null>;
}
