// How does one statement get many rows? As values, which it reads as a table.
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { json } from '../connection/values.ts';

/** Columns with their types, as Postgres writes them. */
export type Columns = Readonly<Record<string, 'bigint' | 'boolean' | 'double precision' | 'jsonb' | 'text' | 'uuid'>>;

/** What a statement reads these rows with, one at least: their columns, and the number of each from 0 on, `nr`. */
export function rowsOf<C extends Columns>(
  columns: C,
  rows: readonly Readonly<Record<keyof C, unknown>>[],
): RawBuilder<unknown> {
  const names = Object.keys(columns).map((name) => sql.ref(name));
  const values = rows.map((row, nr) => {
    const typed = Object.entries(columns).map(([name, type]) => valueOf(row[name], type));
    return sql`(${sql.join([sql`${sql.lit(nr)}`, ...typed])})`;
  });
  return sql`select * from (values ${sql.join(values)}) as given (nr, ${sql.join(names)})`;
}

function valueOf(value: unknown, type: Columns[string]): RawBuilder<unknown> {
  // No value of a column is the `null` of JSON.
  return type === 'jsonb' && value !== null ? json(value) : sql`${value}::${sql.raw(type)}`;
}
