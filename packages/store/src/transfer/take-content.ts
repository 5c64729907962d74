// Checks and writes the lines of an export, table by table.
import type { Hash } from 'node:crypto';
import type { Client } from 'pg';
import { quoteName } from './catalog.ts';
import type { Catalog, Table } from './catalog.ts';
import { badFile, endLine, RIGHTS, sequencesLine, tableLine } from './format.ts';
import { columnOfElement, type Line, parseLine } from './lines.ts';
import { RowWriter, type TextRow } from './row-writer.ts';

/** Lines to read, and the database that takes them. `hash` has seen the first line. */
export type Content = {
  readonly catalog: Catalog;
  readonly lines: AsyncGenerator<Line, void, undefined>;
  readonly hash: Hash;
  /** Writes rows of tokens. */
  readonly withTokens: boolean;
  readonly rowsMax: number;
};

/** Columns that a machine may show instead of its signature for some minutes; its next hello makes new ones. */
const TOKEN_COLUMNS: ReadonlySet<string> = new Set([
  'access_token_sha256',
  'access_token_expires_at',
  'nonce',
  'nonce_expires_at',
]);

/**
 * Writes everything behind the first line, inside the caller's transaction.
 *
 * @returns the number of rows that were written, and of those that were left out.
 * @throws {TransferError} `bad-file` for what does not fit; nothing may be committed then.
 */
export async function takeContent(
  client: Client,
  { catalog, lines, hash, withTokens, rowsMax }: Content,
): Promise<{ readonly rows: number; readonly tokensLeftOut: number }> {
  const missing = new Map(catalog.tables.map((table) => [table.name, table]));
  let [rows, number, tokensLeftOut] = [0, 1, 0];
  let writer: RowWriter | undefined;
  let sequences: ReadonlyMap<string, readonly [string, boolean]> | undefined;
  for await (const line of lines) {
    number = line.number;
    if (line.text.startsWith('[') && writer !== undefined) {
      rows += 1;
      if (rows > rowsMax) throw badFile({ line: number, column: 1 }, `the file has more than ${rowsMax} rows`);
      const row = rowOf(line, writer.table);
      if (withTokens) await writer.write(row);
      else if (RIGHTS.has(writer.table.name)) tokensLeftOut += 1;
      else await writer.write(withoutTokens(row, writer.table));
    } else {
      await writer?.flush();
      writer = undefined;
      const section = sectionOf(line);
      if (section.kind === 'end') {
        refuseIncomplete(line, { missing: [...missing.keys()], isLast: sequences !== undefined });
        refuseChanged(line, { ...section, counted: rows, hash });
        await refuseMore(lines);
        for (const [name, value] of sequences ?? []) await setSequence(client, name, value);
        return { rows: rows - tokensLeftOut, tokensLeftOut };
      }
      if (section.kind === 'table') writer = new RowWriter(client, tableOf(line, section, missing));
      else sequences = checkedSequences(line, section.values, catalog.sequences);
    }
    hash.update(line.bytes).update('\n');
  }
  throw badFile({ line: number + 1, column: 1 }, 'the last line is missing: the file was cut');
}

type Section =
  | { readonly kind: 'table'; readonly name: string; readonly columns: readonly string[] }
  | { readonly kind: 'sequences'; readonly values: Readonly<Record<string, [string, boolean]>> }
  | { readonly kind: 'end'; readonly rows: number; readonly sha256: string };

function sectionOf(line: Line): Section {
  const value = parseLine(line);
  const table = tableLine.safeParse(value);
  if (table.success) return { kind: 'table', name: table.data.table, columns: table.data.columns };
  const sequences = sequencesLine.safeParse(value);
  if (sequences.success) return { kind: 'sequences', values: sequences.data.sequences };
  const end = endLine.safeParse(value);
  if (end.success) return { kind: 'end', ...end.data.end };
  throw badFile({ line: line.number, column: 1 }, 'expected a table, the sequences or the end, or a row of a table');
}

/** Takes the table off the list of those that must still come. */
function tableOf(
  line: Line,
  { name, columns }: { readonly name: string; readonly columns: readonly string[] },
  missing: Map<string, Table>,
): Table {
  const table = missing.get(name);
  const place = { line: line.number, column: line.text.indexOf(JSON.stringify(name)) + 1 };
  if (table === undefined) throw badFile(place, `the table "${name}" is not expected here, or stands here twice`);
  const expected = table.columns.map((column) => column.name);
  if (JSON.stringify(columns) !== JSON.stringify(expected)) {
    const at = line.text.indexOf('"columns"') + 1;
    throw badFile({ line: line.number, column: at }, `the table "${name}" has the columns ${expected.join(', ')}`);
  }
  missing.delete(name);
  return table;
}

function rowOf(line: Line, { name, columns }: Table): TextRow {
  const value = parseLine(line);
  if (!Array.isArray(value) || value.length !== columns.length) {
    throw badFile({ line: line.number, column: 1 }, `a row of "${name}" is an array of ${columns.length} values`);
  }
  const values = value.map((one: unknown, index) => {
    if (typeof one === 'string' || one === null) return one;
    const place = { line: line.number, column: columnOfElement(line.text, index) };
    throw badFile(place, `"${columns[index]?.name ?? ''}" of "${name}" is a text or null`);
  });
  return { line, values };
}

function withoutTokens({ line, values }: TextRow, { columns }: Table): TextRow {
  return { line, values: values.map((value, index) => (TOKEN_COLUMNS.has(columns[index]?.name ?? '') ? null : value)) };
}

function checkedSequences(
  line: Line,
  values: Readonly<Record<string, [string, boolean]>>,
  known: readonly string[],
): ReadonlyMap<string, readonly [string, boolean]> {
  for (const [name, [value]] of Object.entries(values)) {
    const place = { line: line.number, column: line.text.indexOf(JSON.stringify(name)) + 1 };
    if (!known.includes(name)) throw badFile(place, `there is no sequence "${name}"`);
    if (!/^-?\d{1,19}$/.test(value) || BigInt(value) < 1n || BigInt(value) >= 2n ** 63n)
      throw badFile(place, `the value of "${name}" is not a whole number`);
  }
  return new Map(Object.entries(values));
}

/** Sets a sequence, never to a lower value: a follower of the replaced history goes on after the last id that it gave. */
async function setSequence(client: Client, name: string, [value, called]: readonly [string, boolean]): Promise<void> {
  await client.query(
    `select setval(quote_ident($1)::regclass, $2::bigint, $3) from ${quoteName(name)}
     where not is_called or last_value < $2::bigint`,
    [name, value, called],
  );
}

function refuseIncomplete(line: Line, { missing, isLast }: { missing: readonly string[]; isLast: boolean }): void {
  const place = { line: line.number, column: 1 };
  if (missing.length > 0) throw badFile(place, `the file ends without the tables ${missing.join(', ')}`);
  if (!isLast) throw badFile(place, 'the file ends without its sequences');
}

function refuseChanged(
  line: Line,
  { rows, counted, sha256, hash }: { rows: number; counted: number; sha256: string; hash: Hash },
): void {
  const place = { line: line.number, column: 1 };
  if (rows !== counted) throw badFile(place, `the file should have ${rows} rows, and has ${counted}`);
  if (hash.digest('hex') !== sha256) throw badFile(place, 'the file was changed after it was written: its sum differs');
}

async function refuseMore(lines: AsyncGenerator<Line, void, undefined>): Promise<void> {
  const more = await lines.next();
  if (more.done !== true) throw badFile({ line: more.value.number, column: 1 }, 'there is content after the last line');
}
