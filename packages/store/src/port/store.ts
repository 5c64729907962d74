// Defines what the coordinator needs of a store: the functions of `sql/`, bound. Each store behind it is held to the
// same tests.
import type { StoreFunctions, TransactionFunctions } from '../sql/bind.ts';

/** `drover_commands`: machine ids. `drover_events`: worker ids. Separated by commas; `*` for any. */
export type Channel = 'drover_commands' | 'drover_events';

/**
 * Functions that run inside one transaction. Row locks are taken in this order: workers by their ids, the terms of a
 * machine (a name), project, account, other names (`lockName`), escalation, work item. Two transactions that took them
 * otherwise could wait for one another.
 */
export interface StoreTransaction extends TransactionFunctions {}

/**
 * The database as the coordinator sees it. Every method beside `transaction` is a transaction of its own. Most are
 * repeated after a lost connection (`ONCE` in sql/bind.ts says which are not, and why); they throw when the database stays away.
 */
export interface Store extends StoreFunctions {
  /** Runs the work in one transaction and repeats it after conflicts and lost connections: it must be safe to repeat as a whole. */
  transaction<T>(work: (tx: StoreTransaction) => Promise<T>): Promise<T>;
  /** @throws when the database does not answer. */
  ping(): Promise<void>;
  /** Tells all replicas that there is something to do. A hint: it may get lost. */
  notify(channel: Channel, payload: string): Promise<void>;
}
