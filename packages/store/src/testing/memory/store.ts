// The store in memory: the functions of this folder, bound to tables that a test owns. Repeats the same units as the SQL store.
import type { Store, StoreTransaction } from '../../port/store.ts';
import { binder, ONCE, type StoreFunctions } from '../../sql/bind.ts';
import { FUNCTIONS } from '../../sql/functions.ts';
import { Session, type SessionOptions } from './engine/session.ts';
import type { Transaction } from './engine/transaction.ts';
import type { MemoryDatabase } from './engine/database.ts';
import { IN_MEMORY } from './functions.ts';

/** A client of a database that a test can kill. */
export interface StoreClient extends Store {
  /** Dies: open transactions are undone, and no promise of this client settles any more. */
  close(): void;
}

/**
 * Opens one client of a database in memory, for tests and simulations. The client uses no clock and no chance but
 * those that it is given, and fails exactly when `fault` says so.
 */
export function createMemoryStore(options: SessionOptions): StoreClient {
  const session = new Session(options);
  const { database: db } = options;
  return {
    ...bound.now<StoreFunctions>((name, run) =>
      ONCE.has(name)
        ? (...rest) => session.once(name, () => run(db, ...rest))
        : (...rest) => session.again(name, () => run(db, ...rest)),
    ),
    close: () => session.close(),
    transaction: (work) => session.transaction((tx) => work(bind(session, tx, db))),
    ping: () => session.once('ping', () => {}),
    notify: () => session.once('notify', () => {}),
  };
}

/** A function that is only on SQL says so when it is called. */
const bound = binder(
  binder({ ...FUNCTIONS, ...IN_MEMORY }).now<object>((name, run) => {
    if (name in IN_MEMORY) return run;
    return () => {
      throw new Error(`The store in memory has no "${name}": use a test database (openTestDatabase)`);
    };
  }),
);

function bind(session: Session, tx: Transaction, db: MemoryDatabase): StoreTransaction {
  return bound.later(
    (method, run) =>
      (...rest) =>
        session.statement(tx, { method, run: () => run(db, ...rest) }),
  );
}
