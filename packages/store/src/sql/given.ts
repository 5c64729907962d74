// How does one statement get many rows? As one JSON value, which it reads as a table.
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { json } from '../connection/values.ts';

/** Columns with their types, as Postgres writes them. */
export type Columns = Readonly<Record<string, 'bigint' | 'boolean' | 'double precision' | 'jsonb' | 'text' | 'uuid'>>;

/**
 * What a statement reads these rows with: their columns, and the number of each from 0 on, `nr`. One value holds all of them: with a
 * parameter for each field, a batch of decisions took a tenth longer. No text may hold half a character, as in any JSON for Postgres.
 */
export function rowsOf<C extends Columns>(
  columns: C,
  rows: readonly Readonly<Record<keyof C, unknown>>[],
): RawBuilder<unknown> {
  const typed = Object.entries(columns).map(([name, type]) => `"${name}" ${type}`);
  const given = json(rows.map((row, nr) => ({ ...row, nr })));
  return sql`select * from jsonb_to_recordset(${given}) as given (nr integer, ${sql.raw(typed.join(', '))})`;
}
