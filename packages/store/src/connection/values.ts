// Converts values between Postgres and JavaScript, in this file and nowhere else.
import { type RawBuilder, sql } from 'kysely';
import { types, type CustomTypesConfig } from 'pg';

/** Type numbers of Postgres: `select oid from pg_type where typname = …`. Such numbers never change. */
const INT8: number = 20;
const INT8_ARRAY: number = 1016;
const NUMERIC: number = 1700;
const TIMESTAMPTZ: number = 1184;

/**
 * The parsers of Drover's connections. `pg` gives int8 (so also `count()`) and numeric (so also `sum()` of int8) as strings;
 * here they are numbers, and bigints where a number would not be exact. Fractions of numeric become the nearest number.
 */
export const VALUE_TYPES: CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') => {
    const own = format === 'binary' ? undefined : PARSERS.get(oid);
    return own ?? types.getTypeParser(oid, format === 'binary' ? 'binary' : 'text');
  },
};

const PARSERS: ReadonlyMap<number, (text: string) => unknown> = new Map([
  [INT8, integer],
  [NUMERIC, (text: string) => (/^-?\d+$/.test(text) ? integer(text) : Number(text))],
  [TIMESTAMPTZ, (text: string) => Date.parse(text.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00'))],
  [INT8_ARRAY, (text: string) => integers(types.getTypeParser(INT8_ARRAY, 'text')(text))],
]);

function integer(text: string): number | bigint {
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : BigInt(text);
}

function integers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(integers);
  return typeof value === 'string' ? integer(value) : value;
}

/**
 * A value for a `jsonb` column. Given as it is, `pg` would turn an array into a Postgres array and a string into bare text.
 * By way of `text`, so that the server parses it also where the driver believes in another type.
 *
 * @throws {TypeError} for what JSON has no word for: undefined, a function, a bigint, a circle.
 */
export function json<T>(value: T): RawBuilder<T> {
  const text = JSON.stringify(value);
  if (text === undefined) throw new TypeError(`Cannot store a value of type "${typeof value}" as JSON`);
  return sql<T>`${text}::text::jsonb`;
}

/** An epoch in milliseconds for a `timestamptz` column, which is read back as the same number. */
export function instant(epochMs: number): RawBuilder<number> {
  return sql<number>`to_timestamp(${epochMs}::double precision / 1000)`;
}

/** Tests whether an id begins or ends with this text. Both ends count: an id begins with its time and ends at random. */
export function isPartOfId(column: 'errors.id' | 'escalations.id', part: string | undefined): RawBuilder<boolean> {
  if (part === undefined) return sql<boolean>`true`;
  const id = sql.ref(column);
  const start = part.replace(/[\\%_]/gu, String.raw`\$&`);
  const end = [...part]
    .toReversed()
    .join('')
    .replace(/[\\%_]/gu, String.raw`\$&`);
  return sql<boolean>`(${id}::text collate "C" like ${`${start}%`} or reverse(${id}::text) collate "C" like ${`${end}%`})`;
}
