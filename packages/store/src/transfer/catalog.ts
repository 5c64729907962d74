// Reads the tables, columns and sequences of a Drover database, as the server itself knows them.
import type { Client } from 'pg';
import { type MigrationSeen, TransferError } from './format.ts';

/** A column; `type` is the server's own name of its type, to cast to. */
export type Column = { readonly name: string; readonly type: string };

/** A table. `orderBy` puts its rows into the same order on every server. */
export type Table = { readonly name: string; readonly columns: readonly Column[]; readonly orderBy: string };

/** Parts that are transferred. A table comes after those that it refers to. */
export type Catalog = {
  readonly migrations: readonly MigrationSeen[];
  readonly tables: readonly Table[];
  readonly sequences: readonly string[];
};

/** The list of migrations is not transferred: the database that is imported into has its own. */
const MIGRATIONS = 'schema_migration';

/** Reads the schema that unqualified names mean. @throws {TransferError} `not-drovers` where nothing was ever migrated. */
export async function readCatalog(client: Client): Promise<Catalog> {
  const names = await namesOf(client, 'r');
  if (!names.includes(MIGRATIONS)) {
    throw new TransferError('not-drovers', 'This database has no tables of Drover, so it is empty.');
  }
  const { rows: migrations } = await client.query<MigrationSeen>(
    `select number, name, sha256 from ${MIGRATIONS} order by number`,
  );
  const sorted = await parentsFirst(
    client,
    names.filter((name) => name !== MIGRATIONS),
  );
  const tables: Table[] = [];
  for (const name of sorted) tables.push(await readTable(client, name));
  return { migrations, tables, sequences: await namesOf(client, 'S') };
}

/** A name as SQL. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Lists names without unlogged tables, which hold what is on its way and no part of what is kept. */
async function namesOf(client: Client, kind: 'r' | 'S'): Promise<readonly string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class where relkind = $1 and relpersistence = 'p' and relnamespace = current_schema()::regnamespace
     order by relname collate "C"`,
    [kind],
  );
  return rows.map(({ name }) => name);
}

async function readTable(client: Client, name: string): Promise<Table> {
  const { rows: columns } = await client.query<Column>(
    `select attname as name, format_type(atttypid, atttypmod) as type from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`,
    [quoteName(name)],
  );
  const { rows: keys } = await client.query<Column>(
    `select attname as name, format_type(atttypid, atttypmod) as type
     from pg_index, unnest(indkey) with ordinality as key (number, position)
     join pg_attribute on attnum = key.number
     where indrelid = $1::regclass and attrelid = indrelid and indisprimary order by position`,
    [quoteName(name)],
  );
  const orderBy = (keys.length > 0 ? keys : columns).map(inOneOrder).join(', ');
  return { name, columns, orderBy };
}

/**
 * Orders a column the same on every server: servers sort text by their own languages, unless they are told not to; a
 * type without an order of its own is sorted as text.
 */
function inOneOrder({ name, type }: Column): string {
  const sortsAlike =
    ['uuid', 'smallint', 'integer', 'bigint', 'boolean'].includes(type) || type.startsWith('timestamp');
  return sortsAlike ? quoteName(name) : `${quoteName(name)}::text collate "C"`;
}

async function parentsFirst(client: Client, names: readonly string[]): Promise<readonly string[]> {
  const { rows } = await client.query<{ child: string; parent: string }>(
    `select child.relname as child, parent.relname as parent from pg_constraint
     join pg_class child on child.oid = conrelid join pg_class parent on parent.oid = confrelid
     where contype = 'f' and connamespace = current_schema()::regnamespace and conrelid <> confrelid`,
  );
  const sorted: string[] = [];
  const visit = (name: string, above: readonly string[]): void => {
    if (sorted.includes(name) || above.includes(name)) return;
    const parents = rows.filter(({ child }) => child === name).map(({ parent }) => parent);
    for (const parent of parents.toSorted()) visit(parent, [...above, name]);
    sorted.push(name);
  };
  for (const name of names) visit(name, []);
  return sorted;
}
