// What a function of this folder works on: the pool, or one transaction.
import type { Kysely, Transaction } from 'kysely';
import type { Database } from '../tables/database.ts';

/** The pool, where a statement is a transaction of its own, or the transaction of the caller. */
export type Db = Kysely<Database> | Transaction<Database>;
