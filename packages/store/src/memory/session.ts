// How does one client run its transactions on a database in memory, and how can that fail?
import { withRetry } from '../retry.ts';
import type { MemoryDatabase } from './database.ts';

/** A moment at which something can go wrong. `committed` is after the commit and before the answer. */
export interface FaultPoint {
  readonly at: 'begin' | 'statement' | 'commit' | 'committed';
  /** The method of the port. */
  readonly method: string;
}

/** What goes wrong. */
export type Fault =
  /** The answer takes this long, in milliseconds. */
  | { readonly kind: 'slow'; readonly ms: number }
  /** The connection breaks. At `committed`, what was done stays done and nobody is told. */
  | { readonly kind: 'lost-connection' }
  /** The server undoes the transaction because of another one. */
  | { readonly kind: 'conflict' };

/** What a client brings with it: its time, its chance and its bad luck. */
export interface ClientOptions {
  readonly sleep: (ms: number) => Promise<void>;
  /** In [0, 1). */
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

/** One client. After `close` none of its promises settles any more, as in a process that has died. */
export class Session {
  readonly #options: SessionOptions;
  readonly #open = new Set<object>();
  #isClosed = false;

  constructor(options: SessionOptions) {
    this.#options = options;
  }

  /** The process dies: what it had begun is undone, what waits never goes on. */
  close(): void {
    this.#isClosed = true;
    for (const unit of this.#open) this.#options.database.rollback(unit);
    this.#open.clear();
  }

  /** Runs one unit and repeats it after conflicts and lost connections. */
  again<T>(method: string, unit: () => T | Promise<T>): Promise<T> {
    const { sleep, random } = this.#options;
    return withRetry(() => this.once(method, unit), { attempts: ATTEMPTS, sleep, random });
  }

  /** Runs one unit as one transaction. */
  async once<T>(method: string, unit: () => T | Promise<T>): Promise<T> {
    const { database } = this.#options;
    await this.#pass('begin', method);
    if (this.#isClosed) return never();
    const me = {};
    this.#open.add(me);
    try {
      await database.begin(me);
      const result = this.#isClosed ? await never() : await unit();
      await this.#pass('commit', method);
      database.commit(me);
      await this.#pass('committed', method);
      return result;
    } finally {
      database.rollback(me);
      this.#open.delete(me);
    }
  }

  /** One statement of a transaction. */
  async statement<T>(method: string, run: () => T): Promise<T> {
    await this.#pass('statement', method);
    return this.#isClosed ? never() : run();
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

/** What the continuations of a dead process wait for. */
function never(): Promise<never> {
  return new Promise(() => {});
}
