// The columns of every table with their types. columns.json is drawn from the migrations, by
// `npx vitest run packages/store/tests/migrate/columns.test.ts -u`.
import columns from './columns.json' with { type: 'json' };
import type { Database } from './database.ts';

/** Column types by table. A question mark: it may be null. The compiler holds them against `Database`. */
const COLUMNS: {
  readonly [T in keyof Database]: Readonly<Record<keyof Database[T] & string, string>>;
} = columns;

/** Type of a column in Postgres; undefined: the table has none of this name. */
export function typeOf(table: keyof Database, column: string): string | undefined {
  const types: Readonly<Record<string, string>> = COLUMNS[table];
  return types[column];
}

/** The names of all columns of a table but these. */
export function columnsWithout<T extends keyof Database, N extends keyof Database[T] & string>(
  table: T,
  ...names: readonly N[]
): readonly Exclude<keyof Database[T] & string, N>[] {
  const left: readonly string[] = names;
  const all = Object.keys(COLUMNS[table]) as (keyof Database[T] & string)[];
  return all.filter((name): name is Exclude<typeof name, N> => !left.includes(name));
}
