// Runs the transactions of one client on a database in memory, and plants its faults.
import { withRetry } from '../../../connection/retry.ts';
import type { MemoryDatabase } from './database.ts';
import { Blocked, Transaction } from './transaction.ts';

/** A moment at which something can go wrong. `committed` is after the commit and before the answer. */
export interface FaultPoint {
  readonly at: 'begin' | 'statement' | 'commit' | 'committed';
  /** The method of the port. */
  readonly method: string;
}

export type Fault =
  /** The answer takes this long, in milliseconds. */
  | { readonly kind: 'slow'; readonly ms: number }
  /** Breaks the connection. At `committed`, what was done stays done and the client is not told. */
  | { readonly kind: 'lost-connection' }
  /** The server undoes the transaction because of another one. */
  | { readonly kind: 'conflict' };

/** Time, chance and faults of a client. */
export interface ClientOptions {
  readonly sleep: (ms: number) => Promise<void>;
  /** Chance in [0, 1). */
  readonly random: () => number;
  readonly fault?: (point: FaultPoint) => Fault | null;
}

/** A client, and the database that it is one of. */
export interface SessionOptions extends ClientOptions {
  readonly database: MemoryDatabase;
}

/** Tries of one unit of work, as many as the SQL store makes. */
const ATTEMPTS = 12;

/** Fails as `pg` does, so that the same code decides whether to try again. */
class MemoryStoreError extends Error {
  override readonly name = 'MemoryStoreError';
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** Client of the database. After `close` none of its promises settles any more, as in a process that has died. */
export class Session {
  readonly #options: SessionOptions;
  readonly #open = new Set<Transaction>();
  #isClosed = false;

  constructor(options: SessionOptions) {
    this.#options = options;
  }

  /** Kills the process: work that it had begun is undone, waiting promises never settle. */
  close(): void {
    this.#isClosed = true;
    for (const tx of this.#open) this.#options.database.rollback(tx);
    this.#open.clear();
  }

  /** Runs one statement as a transaction of its own and repeats it after conflicts and lost connections. */
  again<T>(method: string, statement: () => T): Promise<T> {
    return this.#retried(() => this.once(method, statement));
  }

  /** Runs one statement as a transaction of its own. */
  once<T>(method: string, statement: () => T): Promise<T> {
    return this.#unit(method, (tx) => this.#run(tx, statement));
  }

  /** Runs a transaction of many statements and repeats it as a whole. */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#retried(() => this.#unit('transaction', work));
  }

  /** Runs one statement of a transaction. */
  async statement<T>(tx: Transaction, { method, run }: { method: string; run: () => T }): Promise<T> {
    await this.#pass('statement', method);
    return this.#run(tx, run);
  }

  #retried<T>(unit: () => Promise<T>): Promise<T> {
    const { sleep, random } = this.#options;
    return withRetry(unit, { attempts: ATTEMPTS, sleep, random });
  }

  async #unit<T>(method: string, work: (tx: Transaction) => Promise<T>): Promise<T> {
    const { database } = this.#options;
    await this.#pass('begin', method);
    if (this.#isClosed) return never();
    const tx = new Transaction();
    this.#open.add(tx);
    try {
      const result = await work(tx);
      await this.#pass('commit', method);
      database.commit(tx);
      await this.#pass('committed', method);
      return result;
    } finally {
      database.rollback(tx);
      this.#open.delete(tx);
    }
  }

  /** A statement that meets a lock tries again when the lock's holder is over. */
  async #run<T>(tx: Transaction, statement: () => T): Promise<T> {
    const { database } = this.#options;
    for (;;) {
      if (this.#isClosed) return never();
      try {
        return database.run(tx, statement);
      } catch (error) {
        if (!(error instanceof Blocked)) throw error;
        const turn = database.wait(tx, error);
        if (turn === 'deadlock') throw new MemoryStoreError('40P01', `deadlock detected at ${error.message}`);
        await turn;
      }
    }
  }

  /** Lets one moment pass. @throws what goes wrong in it; never settles once the client is closed. */
  #pass(at: FaultPoint['at'], method: string): Promise<void> | undefined {
    const fault = this.#isClosed ? null : (this.#options.fault?.({ at, method }) ?? null);
    if (this.#isClosed) return never();
    return fault === null ? undefined : this.#suffer(fault, { at, method });
  }

  async #suffer(fault: Fault, { at, method }: FaultPoint): Promise<void> {
    if (fault.kind === 'slow') await this.#options.sleep(fault.ms);
    if (this.#isClosed) return never();
    if (fault.kind === 'conflict') throw new MemoryStoreError('40P01', `deadlock detected in ${method}`);
    if (fault.kind === 'lost-connection')
      throw new MemoryStoreError('ECONNRESET', `Connection terminated unexpectedly in ${method} (${at})`);
  }
}

/** Returns a promise for the continuations of a dead process: it never settles. */
function never(): Promise<never> {
  return new Promise(() => {});
}
