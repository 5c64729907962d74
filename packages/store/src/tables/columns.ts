// How the types of Postgres are read and written.
import type { ColumnType } from 'kysely';

/** A `timestamptz`: read as epoch milliseconds, written by `instant()`. */
export type Instant = number;

/** A `jsonb`: read as what it is, written by `json()`. */
export type Json<T> = ColumnType<T, T, T>;

/** A `bigint` that stays within the safe integers. */
export type Int8 = number;
