// The one rule by which values go into columns. columns.json has every column with its type in Postgres, as the migrations make it:
// `npx vitest run packages/store/tests/migrate/columns.test.ts -u` draws it.
import type { Selectable } from 'kysely';
import { instant, json } from '../connection/values.ts';
import columns from './columns.json' with { type: 'json' };
import type { Database } from './database.ts';

/** Column types by table. A question mark: it may be null. The compiler holds them against `Database`. */
const COLUMNS: {
  readonly [T in keyof Database]: Readonly<Record<keyof Database[T] & string, string>>;
} = columns;

/**
 * Converts a row, or a part of it, to what a statement takes: writes values of a `jsonb` and of a `timestamptz` as
 * such, and passes all others as they are. Leaves out fields that are no columns, because a caller's object may hold
 * more.
 */
export function columnsOf<T extends keyof Database, R extends Partial<Selectable<Database[T]>>>(table: T, row: R): R {
  const types: Readonly<Record<string, string>> = COLUMNS[table];
  const entries = Object.entries(row).flatMap(([name, value]) => {
    const type = types[name];
    return type === undefined ? [] : [[name, written(value, type)] as const];
  });
  return Object.fromEntries(entries) as R;
}

function written(value: unknown, type: string): unknown {
  if (value === undefined || (value === null && type.endsWith('?'))) return value;
  if (type.startsWith('jsonb')) return json(value);
  return typeof value === 'number' && type.startsWith('timestamptz') ? instant(value) : value;
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
