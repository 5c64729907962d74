// Writes rows of text to a table quickly, and finds the line at fault when a write fails.
import type { Client } from 'pg';
import { quoteName, type Table } from './catalog.ts';
import { badFile, TransferError } from './format.ts';
import { columnOfElement, type Line } from './lines.ts';

/** A row as its line has it. */
export type TextRow = { readonly line: Line; readonly values: readonly (string | null)[] };

/** Rows and bytes that go to the server at a time. */
const ROWS_MAX = 500;
const BYTES_MAX = 4 * 1024 ** 2;

/** Writes the rows of one table, many at a time, inside the caller's transaction. */
export class RowWriter {
  readonly table: Table;
  readonly #client: Client;
  #rows: TextRow[] = [];
  #bytes = 0;

  constructor(client: Client, table: Table) {
    this.#client = client;
    this.table = table;
  }

  /** @throws {TransferError} `bad-file`, perhaps for an earlier row. */
  async write(row: TextRow): Promise<void> {
    this.#rows.push(row);
    this.#bytes += row.line.bytes.length;
    if (this.#rows.length >= ROWS_MAX || this.#bytes >= BYTES_MAX) await this.flush();
  }

  /** Writes held rows. @throws {TransferError} `bad-file`. */
  async flush(): Promise<void> {
    const rows = this.#rows;
    if (rows.length === 0) return;
    [this.#rows, this.#bytes] = [[], 0];
    const refused = await this.#insert(rows);
    if (refused !== null) throw await this.#fault(rows, refused);
  }

  /** @returns what the server said against it; nothing was inserted then. */
  async #insert(rows: readonly TextRow[]): Promise<Error | null> {
    const { name, columns } = this.table;
    const names = columns.map((column) => quoteName(column.name)).join(', ');
    const values = columns.map(({ type }, index) => `v${index}::${type}`).join(', ');
    const arrays = columns.map((_, index) => `$${index + 1}::text[]`).join(', ');
    const aliases = columns.map((_, index) => `v${index}`).join(', ');
    return this.#attempt(
      `insert into ${quoteName(name)} (${names}) overriding system value select ${values} from unnest(${arrays}) as rows (${aliases})`,
      columns.map((_, index) => rows.map((row) => row.values[index] ?? null)),
    );
  }

  async #attempt(sql: string, values: readonly unknown[]): Promise<Error | null> {
    await this.#client.query('savepoint attempt');
    try {
      await this.#client.query(sql, [...values]);
      await this.#client.query('release savepoint attempt');
      return null;
    } catch (error) {
      if (!(error instanceof Error) || !('severity' in error)) throw error; // the connection, not the row
      await this.#client.query('rollback to savepoint attempt');
      return error;
    }
  }

  /** Finds the row at fault, and its value. Runs only after a failure, so it may take its time. */
  async #fault(rows: readonly TextRow[], refused: Error): Promise<TransferError> {
    for (const row of rows) {
      const reason = await this.#insert([row]);
      if (reason === null) continue;
      const place = { line: row.line.number, column: await this.#columnAtFault(row) };
      return badFile(place, `the table "${this.table.name}" refuses the row: ${reason.message}`, { cause: reason });
    }
    const line = rows[0]?.line.number ?? 1;
    return badFile({ line, column: 1 }, `the table "${this.table.name}" refuses rows from here on: ${refused.message}`);
  }

  async #columnAtFault({ line, values }: TextRow): Promise<number> {
    for (const [index, { type }] of this.table.columns.entries()) {
      const refused = await this.#attempt(`select $1::text::${type}`, [values[index] ?? null]);
      if (refused !== null) return columnOfElement(line.text, index);
    }
    return 1;
  }
}
