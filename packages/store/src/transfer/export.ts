// Exports everything in a database, as of one moment, without holding it in memory.
import { createHash } from 'node:crypto';
import type { Log } from '@drover/base';
import type { Client } from 'pg';
import { openClient } from '../connection/servers.ts';
import { CONNECT_TIMEOUT_MS } from '../connection/connect.ts';
import { type Catalog, quoteName, readCatalog, type Table } from './catalog.ts';
import { FORMAT, FORMAT_VERSION, REDACTED_FORMAT, RIGHTS } from './format.ts';

/** Rows in memory at a time: a row may hold a prompt of a megabyte. */
const ROWS_AT_A_TIME = 100;

/** Makes every server print the same value as the same text. */
export const SAME_TEXT = [
  `set local timezone = 'UTC'`,
  `set local datestyle = 'ISO, YMD'`,
  `set local intervalstyle = 'iso_8601'`,
  `set local bytea_output = 'hex'`,
  'set local extra_float_digits = 1',
].join('; ');

/**
 * Yields the file in pieces of whole lines. Reads one snapshot: others may go on writing, and nothing of their writes
 * is in the file. The same rows give the same bytes. Tokens are in the file as they are stored, by their SHA-256.
 *
 * @param redact Takes secrets out of a text. With it the file is for others to read: it holds no rights, and no import
 * takes it.
 * @throws {TransferError} `not-drovers`; errors of Postgres.
 */
export async function* exportDatabase(
  connectionString: string,
  { log, redact }: { log: Log; redact?: Redact },
): AsyncGenerator<string, void, undefined> {
  const client = await openClient(
    connectionString,
    { application_name: 'drover-export', connectionTimeoutMillis: CONNECT_TIMEOUT_MS },
    (error) => log('debug', `The connection of the export was lost: ${error.message}`),
  );
  try {
    await client.query('begin isolation level repeatable read read only');
    await client.query(SAME_TEXT);
    yield* withEnd(everything(client, await readCatalog(client), redact));
  } finally {
    await client.end(); // ends the transaction, which changed nothing
  }
}

/** Takes secrets out of a text. */
export type Redact = (text: string) => string;

type Piece = { readonly text: string; readonly rows: number };

async function* everything(
  client: Client,
  catalog: Catalog,
  redact: Redact | undefined,
): AsyncGenerator<Piece, void, undefined> {
  const { migrations, tables, sequences } = catalog;
  yield line({ format: redact === undefined ? FORMAT : REDACTED_FORMAT, version: FORMAT_VERSION, migrations });
  for (const table of tables) {
    yield line({ table: table.name, columns: table.columns.map(({ name }) => name) });
    if (redact === undefined) yield* rowsOf(client, table);
    else if (!RIGHTS.has(table.name)) yield* redactedRowsOf(client, table, redact);
  }
  const values: Record<string, readonly [string, boolean]> = {};
  for (const name of sequences) values[name] = await valueOf(client, name);
  yield line({ sequences: values });
}

async function* rowsOf(client: Client, table: Table): AsyncGenerator<Piece, void, undefined> {
  for await (const rows of fetchRows(client, table)) yield piece(rows);
}

async function* redactedRowsOf(client: Client, table: Table, redact: Redact): AsyncGenerator<Piece, void, undefined> {
  for await (const rows of fetchRows(client, table))
    yield piece(rows.map((row) => row.map((text) => (text === null ? null : redact(text)))));
}

type Row = readonly (string | null)[];

function piece(rows: readonly Row[]): Piece {
  return { text: rows.map((row) => `${JSON.stringify(row)}\n`).join(''), rows: rows.length };
}

async function* fetchRows(
  client: Client,
  { name, columns, orderBy }: Table,
): AsyncGenerator<readonly Row[], void, undefined> {
  const texts = columns.map((column) => `${quoteName(column.name)}::text`).join(', ');
  await client.query(
    `declare export no scroll cursor for select array[${texts}]::text[] as row from ${quoteName(name)} order by ${orderBy}`,
  );
  for (;;) {
    const { rows } = await client.query<{ row: Row }>(`fetch ${ROWS_AT_A_TIME} from export`);
    if (rows.length === 0) break;
    yield rows.map(({ row }) => row);
  }
  await client.query('close export');
}

async function valueOf(client: Client, sequence: string): Promise<readonly [string, boolean]> {
  const { rows } = await client.query<{ value: string; called: boolean }>(
    `select last_value::text as value, is_called as called from ${quoteName(sequence)}`,
  );
  return [rows[0]?.value ?? '1', rows[0]?.called ?? false];
}

async function* withEnd(pieces: AsyncIterable<Piece>): AsyncGenerator<string, void, undefined> {
  const hash = createHash('sha256');
  let count = 0;
  for await (const { text, rows } of pieces) {
    hash.update(text);
    count += rows;
    yield text;
  }
  yield line({ end: { rows: count, sha256: hash.digest('hex') } }).text;
}

function line(value: unknown): Piece {
  return { text: `${JSON.stringify(value)}\n`, rows: 0 };
}
