// Gives many rows to one statement as one value, which the statement reads as a table.
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';

/** Columns with their types, as Postgres writes them. */
export type Columns = Readonly<Record<string, 'bigint' | 'boolean' | 'double precision' | 'jsonb' | 'text' | 'uuid'>>;

/**
 * Reads these rows in a statement: their columns, and the number of each from 1 on, `nr`. However many rows there are,
 * the statement's text is the same: with a value for each field, most of the time that a batch takes here went into
 * the text. No value of a column is the `null` of JSON.
 */
export function rowsOf<C extends Columns>(
  columns: C,
  rows: readonly Readonly<Record<keyof C, unknown>>[],
): RawBuilder<unknown> {
  return rowsIn(columns, textOf(rows));
}

/** Writes rows down, as `rowsIn` reads them. */
export function textOf(rows: readonly object[]): string {
  return JSON.stringify(rows);
}

/** Reads rows that were written down. */
export function rowsIn(columns: Columns, text: string): RawBuilder<unknown> {
  const typed = Object.entries(columns).map(([name, type]) => `"${name}" ${type}`);
  const all = [...Object.keys(columns).map((name) => `"${name}"`), 'nr'];
  return sql`select * from rows from (jsonb_to_recordset(${text}::text::jsonb) as (${sql.raw(typed.join(', '))}))
    with ordinality as given (${sql.raw(all.join(', '))})`;
}
