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
  /** Whose row it is: those of one worker are done one after the other. Absent: no worker's. */
  readonly workerId?: string;
  readonly dueAt: number;
  readonly payload: unknown;
}

/** Each further try of a row is leased twice as long as the one before, up to 2 to the power of this. */
export const LEASE_DOUBLINGS_MAX = 10;

/** Due work that was begun and never ended. `tries`: how often it was taken. Times are epoch milliseconds. */
export interface FailingWork extends Pick<DueWork, 'kind' | 'key' | 'dueAt'> {
  readonly tries: number;
  /** The words of the last try; null: its process died. */
  readonly problem: string | null;
  readonly nextTryAt: number;
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
   * The clock of the database, epoch milliseconds: the one time that all replicas share (docs/adr/0004). Not repeated: an
   * answer is of use only to a caller that knows when it asked.
   */
  readClock(): Promise<number>;
  /**
   * Leases due rows to the caller, oldest first. A row whose lease ran out can be claimed again, and is leased for twice as long: so one that
   * fails each time, or ends its process, is tried ever more seldom.
   */
  claimDueWork(now: number, options: { readonly limit: number; readonly leaseMs: number }): Promise<readonly DueWork[]>;
  /** When the next row can be claimed, if there is any: it is due, and not leased. */
  nextDueAt(now: number): Promise<number | null>;
  /** Keeps why a row was not done, for people. */
  noteDueProblem(work: DueWork, problem: string): Promise<void>;
  /** Rows that were taken this often or more, oldest first. */
  listFailingWork(triesMin: number, limit: number): Promise<readonly FailingWork[]>;
}
