// Makes a file of `drover server export` the content of a database, whole or not at all.
import { createHash } from 'node:crypto';
import { type LocalClock, type Log, systemClock, waitFor } from '@drover/base';
import type { Client } from 'pg';
import { openClient } from '../connection/servers.ts';
import { CONNECT_TIMEOUT_MS } from '../connection/connect.ts';
import { migrate } from '../migrate/migrate.ts';
import { readMigrationFiles } from '../migrate/files.ts';
import { type Catalog, quoteName, readCatalog } from './catalog.ts';
import { SAME_TEXT } from './export.ts';
import { badFile, FORMAT_VERSION, headerLine, isRedacted, type MigrationSeen, TransferError } from './format.ts';
import { CONTENT_BYTES_MAX, type ImportLimits, limited, ROWS_MAX } from './limits.ts';
import { type Line, parseLine, readLines } from './lines.ts';
import { takeContent } from './take-content.ts';

/** Permissions and needs of an import. */
export type ImportOptions = {
  readonly log: Log;
  /** The directory of `NNNN_name.sql` files of this build. */
  readonly migrations: string;
  /** Lets existing rows go. Without it the database must be empty. */
  readonly replace: boolean;
  /** Takes over tokens of people, of workers and for joining. Without it the tokens in the file are left out. */
  readonly withTokens: boolean;
  /** Limits of the import. Default: more than any database of Drover holds. */
  readonly limits?: Partial<ImportLimits> | undefined;
  readonly clock?: LocalClock | undefined;
};

/** Number of rows taken over, and of rows that they replaced. */
export type Imported = {
  readonly rows: number;
  readonly replaced: number;
  /** Tokens of the file that were left out. */
  readonly tokensLeftOut: number;
  /** Names of the machines whose keys came along: they connect from now on. */
  readonly machines: readonly string[];
};

const LIMITS: ImportLimits = {
  contentBytes: CONTENT_BYTES_MAX,
  rows: ROWS_MAX,
  freeBytes: () => Promise.resolve(null),
};

/** Milliseconds that connections of a coordinator that was just stopped may take to be gone. */
const GONE_WITHIN_MS = 2_000;

/** Milliseconds to wait for another transaction on the tables. */
const LOCK_TIMEOUT_MS = 10_000;

/**
 * Migrates the database as far as the one that was exported, takes everything over in one transaction, then applies what
 * this build has more. Fails without having changed a row.
 *
 * @throws {TransferError} with the code that says why; `bad-file` names line and column. {MigrationError}.
 */
export async function importDatabase(
  connectionString: string,
  file: AsyncIterable<Uint8Array>,
  options: ImportOptions,
): Promise<Imported> {
  const { log, migrations: directory } = options;
  const limits = { ...LIMITS, ...options.limits };
  const lines = readLines(limited(file, limits));
  const first = await lines.next();
  if (first.done === true) throw badFile({ line: 1, column: 1 }, 'the file is empty');
  const { migrations } = headerOf(first.value);
  await refuseOtherBuild(directory, migrations);
  await migrate(connectionString, { directory, log, through: migrations.length });
  const imported = await inOneTransaction(connectionString, {
    lines,
    first: first.value,
    migrations,
    options,
    rowsMax: limits.rows,
  });
  await migrate(connectionString, { directory, log });
  return imported;
}

function headerOf(line: Line): { readonly migrations: readonly MigrationSeen[] } {
  const value = parseLine(line);
  const parsed = headerLine.safeParse(value);
  if (isRedacted.safeParse(value).success)
    throw badFile(
      { line: line.number, column: 1 },
      'this file was exported with --redacted, for reading: import one that was exported without',
    );
  if (!parsed.success)
    throw badFile({ line: line.number, column: 1 }, 'the first line is not that of a file of "drover server export"');
  const { version } = parsed.data;
  if (version <= FORMAT_VERSION) return parsed.data;
  throw badFile(
    { line: line.number, column: 1 },
    `the file has version ${version} of the format, and this build reads ${FORMAT_VERSION}: use a newer Drover`,
  );
}

async function refuseOtherBuild(directory: string, seen: readonly MigrationSeen[]): Promise<void> {
  const own = await readMigrationFiles(directory);
  const strange = seen.find(({ name, sha256 }, index) => own[index]?.name !== name || own[index]?.sha256 !== sha256);
  if (strange === undefined) return;
  throw new TransferError(
    'other-schema',
    `The file was written from a database with the migration "${strange.name}", which this build of Drover does not ` +
      'know in that form: import it with the version that exported it, or a newer one.',
  );
}

type Transfer = {
  readonly lines: AsyncGenerator<Line, void, undefined>;
  readonly first: Line;
  readonly migrations: readonly MigrationSeen[];
  readonly options: ImportOptions;
  readonly rowsMax: number;
};

async function inOneTransaction(connectionString: string, transfer: Transfer): Promise<Imported> {
  const { log } = transfer.options;
  const client = await openClient(
    connectionString,
    { application_name: 'drover-import', connectionTimeoutMillis: CONNECT_TIMEOUT_MS },
    (error) => log('debug', `The connection of the import was lost: ${error.message}`),
  );
  try {
    await refuseInUse(client, transfer.options.clock ?? systemClock);
    await client.query('begin');
    // Turns off announcements: imported rows were announced where they happened.
    await client.query(`set local drover.importing = 'on'`);
    const imported = await takeOver(client, transfer);
    await client.query('commit');
    return imported;
  } finally {
    await client.end(); // ends what was not committed
  }
}

async function takeOver(client: Client, { lines, first, migrations, options, rowsMax }: Transfer): Promise<Imported> {
  await client.query(`${SAME_TEXT}; set local lock_timeout = ${LOCK_TIMEOUT_MS}`);
  const catalog = await readCatalog(client);
  if (catalog.migrations.length !== migrations.length) {
    throw new TransferError(
      'other-schema',
      `The database has ${catalog.migrations.length} migrations, the file ${migrations.length}: import it into a new, empty database, ` +
        'which is brought to the right ones by itself.',
    );
  }
  const names = catalog.tables.map(({ name }) => quoteName(name)).join(', ');
  await client.query(`lock table ${names} in access exclusive mode`);
  const replaced = await makeRoom(client, { tables: catalog.tables.map(({ name }) => name), replace: options.replace });
  const hash = createHash('sha256').update(first.bytes).update('\n');
  const taken = await takeContent(client, { catalog, lines, hash, withTokens: options.withTokens, rowsMax });
  return { ...taken, replaced, machines: await namesOfMachines(client, catalog) };
}

async function namesOfMachines(client: Client, { tables }: Catalog): Promise<readonly string[]> {
  if (!tables.some(({ name }) => name === 'machines')) return [];
  const { rows } = await client.query<{ name: string }>('select name from machines order by name collate "C"');
  return rows.map(({ name }) => name);
}

/** Refuses a database that coordinators use. Coordinators name their connections; the work that they hold would be written into the new rows. */
async function refuseInUse(client: Client, clock: LocalClock): Promise<void> {
  let count = 0;
  const gone = async (): Promise<true | undefined> => {
    count = await coordinatorConnections(client);
    return count === 0 ? true : undefined;
  };
  if ((await waitFor(clock, gone, { withinMs: GONE_WITHIN_MS, everyMs: 50 })) === true) return;
  throw new TransferError(
    'in-use',
    `A coordinator works on this database (${count} connections): stop all of them first ("drover down", or where they were started).`,
  );
}

async function coordinatorConnections(client: Client): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity where datname = current_database() and application_name = 'drover'`,
  );
  return rows[0]?.count ?? 0;
}

async function makeRoom(
  client: Client,
  { tables, replace }: { tables: readonly string[]; replace: boolean },
): Promise<number> {
  const filled: string[] = [];
  let total = 0;
  for (const table of tables) {
    const { rows } = await client.query<{ count: number }>(`select count(*)::int as count from ${quoteName(table)}`);
    const count = rows[0]?.count ?? 0;
    if (count > 0) filled.push(`${table} (${count})`);
    total += count;
  }
  if (total === 0) return 0;
  if (!replace) {
    throw new TransferError(
      'not-empty',
      `The database is not empty: ${filled.join(', ')}. Import into an empty one, or replace all of this with --replace; ` +
        'export it first.',
    );
  }
  await client.query(`set local drover.replaces = 'everything'`);
  await client.query(`truncate ${tables.map(quoteName).join(', ')}`);
  return total;
}
