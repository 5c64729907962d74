// Describes work that is due at a time.

/** Work that is due. `key` is unique within `kind`. */
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
    | 'escalation'
    | 'run-event'
    | 'run-request'
    | 'run-deadline';
  readonly key: string;
  /** Worker of the row: rows of one worker are done one after the other. Absent: no worker's. */
  readonly workerId?: string;
  /** The project that it is of. Absent: of none by itself; a worker's row is of its worker's. */
  readonly projectId?: string;
  readonly dueAt: number;
  readonly payload: unknown;
}

/** Exponent at most of a lease: each further try of a row is leased twice as long as the previous one, up to 2 to the power of this. */
export const LEASE_DOUBLINGS_MAX = 10;

/** Work that was begun and never ended. `tries`: how often it was taken. Times are epoch milliseconds. */
export interface FailingWork extends Pick<DueWork, 'kind' | 'key' | 'dueAt'> {
  readonly tries: number;
  /** The words of the last try; null: its process died. */
  readonly problem: string | null;
  readonly nextTryAt: number;
}
