// Holds one transaction of a database in memory, and tells who waits for it.

/** A table as a transaction's end needs it. */
export interface Touched {
  /** Keeps what the transaction changed, or forgets it; gives its locks free. */
  settle(tx: Transaction, how: 'kept' | 'undone'): void;
  isChangedBy(tx: Transaction): boolean;
}

/** Transaction as Postgres has it at READ COMMITTED: its changes are its own until it commits, its locks are held until its end. */
export class Transaction {
  readonly touched = new Set<Touched>();
  /** Transaction that this one waits for. */
  waitsFor: Transaction | null = null;
  /** Callbacks for the end of the transaction, in the order in which they came. */
  readonly waiting: (() => void)[] = [];
  isOver = false;
  /** Steps that undo the running statement, newest last. */
  undo: (() => void)[] = [];

  /** Tells whether this transaction waits, by however many others, for that one. */
  waitsInTheEndFor(other: Transaction): boolean {
    for (let next = this.waitsFor; next !== null; next = next.waitsFor) if (next === other) return true;
    return false;
  }
}

/** A statement met a lock that another transaction holds: it begins again when that one is over. */
export class Blocked extends Error {
  override readonly name = 'Blocked';
  readonly holder: Transaction;

  constructor(holder: Transaction, what: string) {
    super(what);
    this.holder = holder;
  }
}
