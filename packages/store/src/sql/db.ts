// Type of the database that a function of this folder works on. The first parameter says where the function may be
// called: see `bind.ts`.
import type { Kysely, Transaction } from 'kysely';
import type { Database } from '../tables/database.ts';

/** The pool alone: the function is a transaction of its own. */
export type Pool = Kysely<Database> & { readonly isTransaction: false };

/** The transaction of the caller alone. */
export type Trx = Transaction<Database>;

/** The pool, where a statement is a transaction of its own, or the transaction of the caller. */
export type Db = Kysely<Database> | Trx;
