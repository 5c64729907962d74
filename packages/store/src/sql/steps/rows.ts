// Statements that every table has, and the one rule by which values go into columns and conditions.
import { sql } from 'kysely';
import type { RawBuilder, Selectable } from 'kysely';
import { instant, json } from '../../connection/values.ts';
import { typeOf } from '../../tables/columns.ts';
import type { Database } from '../../tables/database.ts';
import type { Db } from '../db.ts';

type Table = keyof Database;
type Row<T extends Table> = Selectable<Database[T]>;

/** Values of a row, or of a part of it. Fields that are no columns, and those that are undefined, are left out. */
export type Values<T extends Table> = {
  readonly [K in keyof Row<T>]?: Row<T>[K] | RawBuilder<Row<T>[K]> | undefined;
};

/** Ends of an insertion: a row that is there already stays as it is. */
export const KEEP = sql`on conflict do nothing`;

/** Ends of a reading: the row is locked until the end of the transaction. */
export const LOCK = sql`for update`;

/** Writes a value as its column takes it: a `jsonb` and a `timestamptz` as such, all others as they are. */
function written(table: Table, name: string, value: unknown): unknown {
  const type = typeOf(table, name) ?? '';
  if (value === null && type.endsWith('?')) return value;
  if (typeof value === 'object' && value !== null && 'toOperationNode' in value) return value;
  if (type.startsWith('jsonb')) return json(value);
  return typeof value === 'number' && type.startsWith('timestamptz') ? instant(value) : value;
}

/** Columns that have a value, each with its value. */
function entriesOf<T extends Table>(table: T, values: Values<T>): readonly (readonly [string, unknown])[] {
  return Object.entries(values)
    .filter(([name, value]) => value !== undefined && typeOf(table, name) !== undefined)
    .map(([name, value]) => [name, written(table, name, value)]);
}

/** Tests whether a row has all of these values. */
export function has<T extends Table>(table: T, values: Values<T>): RawBuilder<boolean> {
  const tests = entriesOf(table, values).map(([name, value]) =>
    value === null ? sql`${sql.ref(`${table}.${name}`)} is null` : sql`${sql.ref(`${table}.${name}`)} = ${value}`,
  );
  return tests.length === 0 ? sql<boolean>`true` : sql<boolean>`${sql.join(tests, sql` and `)}`;
}

/** Sets these columns, in an update and at the end of an insertion. */
export function setting<T extends Table>(table: T, values: Values<T>): RawBuilder<unknown> {
  return sql.join(entriesOf(table, values).map(([name, value]) => sql`${sql.ref(name)} = ${value}`));
}

/** Inserts rows, at least one, all with the columns of the first. `end`: what follows a conflict, and what is returned. */
export function insertion<T extends Table>(table: T, rows: readonly Values<T>[], end = sql``): RawBuilder<Row<T>> {
  const all = rows.map((row) => entriesOf(table, row));
  const names = sql.join((all[0] ?? []).map(([name]) => sql.ref(name)));
  const values = all.map((entries) => sql`(${sql.join(entries.map(([, value]) => value))})`);
  return sql`insert into ${sql.table(table)} (${names}) values ${sql.join(values)} ${end}`;
}

/** Changes the rows that have these values. */
export function change<T extends Table>(
  table: T,
  where: Values<T> | RawBuilder<boolean>,
  values: Values<T>,
): RawBuilder<Row<T>> {
  return sql`update ${sql.table(table)} set ${setting(table, values)} where ${conditionOf(table, where)}`;
}

/** Deletes the rows that have these values. */
export function removal<T extends Table>(table: T, where: Values<T> | RawBuilder<boolean>): RawBuilder<Row<T>> {
  return sql`delete from ${sql.table(table)} where ${conditionOf(table, where)}`;
}

function conditionOf<T extends Table>(table: T, where: Values<T> | RawBuilder<boolean>): RawBuilder<boolean> {
  return isCondition(where) ? where : has(table, where);
}

function isCondition(where: object): where is RawBuilder<boolean> {
  return 'toOperationNode' in where;
}

/** Columns that are read, and what follows the conditions: an order, a limit, a lock. */
interface Reading<K> {
  readonly columns?: readonly K[];
  readonly end?: RawBuilder<unknown>;
}

/** Reads rows, or some of their columns. */
export async function list<T extends Table, K extends keyof Row<T> & string = keyof Row<T> & string>(
  db: Db,
  table: T,
  where: Values<T> | RawBuilder<boolean>,
  { columns, end = sql`` }: Reading<K> = {},
): Promise<readonly Pick<Row<T>, K>[]> {
  const names = columns === undefined ? sql`*` : sql.join(columns.map((name) => sql.ref(name)));
  const { rows } = await sql<Pick<Row<T>, K>>`
    select ${names} from ${sql.table(table)} where ${conditionOf(table, where)} ${end}`.execute(db);
  return rows;
}

/** Reads one row, or some of its columns; null where none has these values. */
export async function find<T extends Table, K extends keyof Row<T> & string = keyof Row<T> & string>(
  db: Db,
  table: T,
  where: Values<T>,
  reading: Reading<K> = {},
): Promise<Pick<Row<T>, K> | null> {
  return (await list(db, table, where, reading))[0] ?? null;
}

/** Waits for a statement that gives one row. @throws where it gives none. */
export async function one<R>(db: Db, statement: RawBuilder<R>): Promise<R> {
  const [row] = (await statement.execute(db)).rows;
  if (row === undefined) throw new Error('The database gave no row where a statement always gives one');
  return row;
}

/** Waits for a statement. @returns whether it wrote a row. */
export async function writes(db: Db, statement: RawBuilder<unknown>): Promise<boolean> {
  return ((await statement.execute(db)).numAffectedRows ?? 0n) > 0n;
}

/** Tests whether a row lies behind a place in a list that begins with the newest; any row does where there is no place. */
export function isBehind(
  column: string,
  after: { readonly at: number; readonly id: string } | undefined,
  id = 'id',
): RawBuilder<boolean> {
  return after === undefined
    ? sql<boolean>`true`
    : sql<boolean>`(${sql.ref(column)}, ${sql.ref(id)}) < (${instant(after.at)}, ${after.id}::uuid)`;
}

/** Tests whether a time is this one or later. */
export function isSince(column: string, since: number | undefined): RawBuilder<boolean> {
  return since === undefined ? sql<boolean>`true` : sql<boolean>`${sql.ref(column)} >= ${instant(since)}`;
}

/** Tests whether a column holds one of these values; any does where no values are named. */
export function isOneOf(column: string, values: readonly string[] | undefined): RawBuilder<boolean> {
  if (values === undefined) return sql<boolean>`true`;
  return values.length === 0 ? sql<boolean>`false` : sql<boolean>`${sql.ref(column)} in (${sql.join(values)})`;
}
