// The store on Postgres: the functions of this folder, bound to a database.
import { sql, type Kysely } from 'kysely';
import type { Store, StoreTransaction } from '../port/store.ts';
import { withRetry } from '../connection/retry.ts';
import type { Database } from '../tables/database.ts';
import { binder, ONCE, type StoreFunctions } from './bind.ts';
import type { Trx } from './db.ts';
import { FUNCTIONS } from './functions.ts';

/** Tries of one unit of work: with the waits of `backoffMs` about five seconds, longer than a restart of the server takes. */
const ATTEMPTS = 12;

/** The adapters that repetition needs. */
export interface SqlStoreOptions {
  readonly sleep: (ms: number) => Promise<void>;
  /** Chance in [0, 1). */
  readonly random: () => number;
}

/** Binds the functions to a database that was migrated. The connection stays the caller's. */
export function createSqlStore(db: Kysely<Database>, { sleep, random }: SqlStoreOptions): Store {
  const again = <T>(unit: () => Promise<T>): Promise<T> => withRetry(unit, { attempts: ATTEMPTS, sleep, random });
  return {
    ...bound.now<StoreFunctions>((name, run) =>
      ONCE.has(name) ? (...rest) => run(db, ...rest) : (...rest) => again(async () => run(db, ...rest)),
    ),
    transaction: (work) => again(() => db.transaction().execute((trx) => work(inside(trx)))),
    ping: async () => {
      await sql`select 1`.execute(db);
    },
    notify: async (channel, payload) => {
      await sql`select pg_notify(${channel}, ${payload})`.execute(db);
    },
  };
}

const bound = binder(FUNCTIONS);

function inside(trx: Trx): StoreTransaction {
  return bound.later(
    (_name, run) =>
      (...rest) =>
        run(trx, ...rest),
  );
}
