// Gives many rows to one statement as one value, which the statement reads as a table.
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { typeOf } from '../../tables/columns.ts';
import type { Database } from '../../tables/database.ts';

/** Columns that are given, with their types as Postgres writes them. A name is that of the field: it is quoted. */
export type Columns = Readonly<Record<string, string>>;

/** The types of these columns of a table, as they are given: a time as epoch milliseconds. */
export function givenAs(table: keyof Database, names: readonly string[]): Columns {
  return Object.fromEntries(
    names.map((name) => [name, isTime(table, name) ? 'double precision' : plainType(table, name)]),
  );
}

/** Lists these columns of a table, for rows that are added. */
export function listed(names: readonly string[]): RawBuilder<unknown> {
  return sql.join(names.map((name) => sql.ref(name)));
}

/** Lists the same as they are given. */
export function listedFrom(table: keyof Database, names: readonly string[]): RawBuilder<unknown> {
  return sql.raw(names.map((name) => valueOf(table, name)).join(', '));
}

/** Sets these columns of a table to what is given. */
export function setFrom(table: keyof Database, names: readonly string[]): RawBuilder<unknown> {
  return sql.join(names.map((name) => sql`${sql.ref(name)} = ${sql.raw(`${valueOf(table, name)}`)}`));
}

function valueOf(table: keyof Database, name: string): string {
  return isTime(table, name) ? `to_timestamp(given."${name}" / 1000)` : `given."${name}"`;
}

function isTime(table: keyof Database, name: string): boolean {
  return plainType(table, name) === 'timestamptz';
}

function plainType(table: keyof Database, name: string): string {
  return (typeOf(table, name) ?? '').replace('?', '');
}

/**
 * Reads these rows in a statement: their columns, and the number of each from 1 on, `nr`. However many rows there are,
 * the statement's text is the same: with a value for each field, most of the time that a batch takes here went into
 * the text. No value of a column is the `null` of JSON.
 */
export function rowsOf(columns: Columns, rows: readonly object[]): RawBuilder<unknown> {
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
