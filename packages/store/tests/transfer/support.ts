// Fills every table with all that its columns can hold, and reads a file back.
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { Client } from 'pg';
import { type Catalog, quoteName, readCatalog, type Table } from '../../src/transfer/catalog.ts';
import { exportDatabase } from '../../src/transfer/export.ts';

/** Reads everything that an export yields, as one text. */
export async function exported(connectionString: string): Promise<string> {
  let text = '';
  for await (const piece of exportDatabase(connectionString, { log: () => {} })) text += piece;
  return text;
}

/** A text as a file in chunks that cut lines and characters anywhere. */
export async function* asFile(text: string, chunkBytes = 7_919): AsyncGenerator<Uint8Array, void, undefined> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
}

/** A connection of the test's own. */
export async function withClient<T>(connectionString: string, use: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

/** Rules about what values mean, and who may change them, are dropped, so that any value may be tried; types, keys and references stay. */
export async function dropChecks(connectionString: string): Promise<void> {
  await withClient(connectionString, async (client) => {
    const { rows } = await client.query<{ drop: string }>(
      `select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop
       from pg_constraint where contype = 'c' and connamespace = current_schema()::regnamespace`,
    );
    for (const { drop } of rows) await client.query(drop);
    const kept = await client.query<{ name: string }>(
      `select distinct tgrelid::regclass::text as name from pg_trigger join pg_class on pg_class.oid = tgrelid
       where not tgisinternal and relnamespace = current_schema()::regnamespace`,
    );
    for (const { name } of kept.rows) await client.query(`alter table ${name} disable trigger user`);
  });
}

/** Values of one type as Postgres reads them from text. */
function valuesOf(type: string): fc.Arbitrary<string | null> {
  const word = fc.string({ unit: 'grapheme', maxLength: 12 }).map((text) => text.replaceAll('\0', ''));
  const kinds: Readonly<Record<string, fc.Arbitrary<string>>> = {
    uuid: fc.constant('').map(() => randomUUID()),
    text: fc.oneof(word, fc.constantFrom('', '\n', '\\N', '"', '\\', '\u2028', 'Zürich 日本 🦊', '{}', 'null', '[')),
    integer: fc.integer({ min: -2_147_483_648, max: 2_147_483_647 }).map(String),
    bigint: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String),
    'double precision': fc.double().map(String),
    boolean: fc.boolean().map(String),
    jsonb: fc.oneof(
      fc.json({ maxDepth: 3 }).map((text) => text.replaceAll(/\\u0000/g, '').replaceAll('-0', '0')),
      fc.constantFrom('null', '12345678901234567890.12345678901234567890', '1e300', '"\\u2028"', '{"a":null}'),
    ),
    'timestamp with time zone': fc.oneof(
      fc
        .tuple(fc.integer({ min: -2e9, max: 4e9 }), fc.integer({ min: 0, max: 999_999 }))
        .map(
          ([seconds, micros]) =>
            `${new Date(seconds * 1_000).toISOString().slice(0, 19)}.${String(micros).padStart(6, '0')}+00`,
        ),
      fc.constantFrom('infinity', '-infinity', '0044-03-15 12:00:00.000001+00 BC'),
    ),
  };
  const known = kinds[type];
  if (known === undefined) throw new Error(`No values for the type "${type}": say here what it can hold`);
  return known;
}

/** Draws some rows for every table. */
export function contentOf({
  tables,
}: Catalog): fc.Arbitrary<ReadonlyMap<string, readonly (readonly (string | null)[])[]>> {
  return fc
    .tuple(...tables.map(rowsOf))
    .map((all) => new Map(tables.map(({ name }, index) => [name, all[index] ?? []])));
}

function rowsOf({ columns }: Table): fc.Arbitrary<readonly (readonly (string | null)[])[]> {
  const row = fc.tuple(...columns.map(({ type }) => fc.option(valuesOf(type), { freq: 6 })));
  return fc.array(row, { minLength: 0, maxLength: 3 });
}

/** Writes fitting rows: leaves out a row that breaks a rule of its table, and refers only to existing rows. */
export async function fill(
  connectionString: string,
  content: ReadonlyMap<string, readonly (readonly (string | null)[])[]>,
): Promise<number> {
  return withClient(connectionString, async (client) => {
    let written = 0;
    const { tables, sequences } = await readCatalog(client);
    // Faster than to truncate, which writes every file of every table and index again.
    for (const { name } of tables.toReversed()) await client.query(`delete from ${quoteName(name)}`);
    for (const name of sequences) await client.query(`alter sequence ${quoteName(name)} restart`);
    for (const table of tables) {
      for (const row of content.get(table.name) ?? []) written += (await insert(client, table, row)) ? 1 : 0;
    }
    return written;
  });
}

async function insert(client: Client, { name, columns }: Table, row: readonly (string | null)[]): Promise<boolean> {
  const values = columns.map((_, index) => row[index] ?? null);
  for (const [index, column] of columns.entries()) {
    const parent = await parentOf(client, name, column.name);
    if (parent !== undefined && values[index] !== null) values[index] = parent;
  }
  const casts = columns.map(({ type }, index) => `$${index + 1}::text::${type}`).join(', ');
  try {
    await client.query(`insert into ${quoteName(name)} overriding system value values (${casts})`, values);
    return true;
  } catch {
    return false;
  }
}

async function parentOf(client: Client, table: string, column: string): Promise<string | undefined> {
  const { rows } = await client.query<{ parent: string; key: string }>(
    `select confrelid::regclass::text as parent, far.attname as key from pg_constraint
     join pg_attribute near on near.attrelid = conrelid and near.attnum = conkey[1]
     join pg_attribute far on far.attrelid = confrelid and far.attnum = confkey[1]
     where contype = 'f' and conrelid = $1::regclass and near.attname = $2`,
    [quoteName(table), column],
  );
  const [reference] = rows;
  if (reference === undefined) return undefined;
  const { parent, key } = reference;
  const found = await client.query<{ id: string }>(`select ${quoteName(key)}::text as id from ${parent} limit 1`);
  return found.rows[0]?.id;
}
