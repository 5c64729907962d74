// Gives a test file a migrated database of its own in a few milliseconds, as a clone of a template.
import { createHash, randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { connect, type Connection } from '../connection/connect.ts';
import { migrate } from '../migrate/migrate.ts';
import { readMigrationFiles } from '../migrate/files.ts';
import { testServer } from '@drover/embedded-postgres/testing';

/** The migrations of this repository. */
export const REPOSITORY_MIGRATIONS = fileURLToPath(new URL('../../../../migrations', import.meta.url));

/** A number that only the making of templates locks. */
const TEMPLATE_LOCK = 7_368_717;

/** A database of its own, dropped when disposed, also while others are connected. */
export type TestDatabase<Database> = Connection<Database> & { readonly connectionString: string };

/**
 * Opens a fresh database with all migrations applied. The first call for the same migrations makes the template,
 * further ones clone it, in this run and, on a server that stays (`TEST_DATABASE_URL`), in later ones.
 *
 * @param maxConnections Size of the pool; default 10. `connectionString` opens as many others as wanted.
 */
export async function openTestDatabase<Database>(options: TestDatabaseOptions = {}): Promise<TestDatabase<Database>> {
  return openDatabaseOn(await testServer(), options);
}

/** Migrations other than the repository's, and connections of the pool. */
export interface TestDatabaseOptions {
  readonly migrations?: string;
  readonly maxConnections?: number;
}

/** The same on a server of one's own, whose user may create databases. */
export async function openDatabaseOn<Database>(
  server: string,
  { migrations = REPOSITORY_MIGRATIONS, maxConnections = 10 }: TestDatabaseOptions,
): Promise<TestDatabase<Database>> {
  const name = `drover_test_${randomUUID().replaceAll('-', '')}`;
  await withClient(server, async (client) => {
    const template = await ensureTemplate(client, server, migrations);
    await client.query(`create database ${name} template ${template} ${await cloneStrategy(client)}`);
  });
  const connectionString = databaseUrl(server, name);
  const connection = connect<Database>(connectionString, { log: () => {}, maxConnections });
  return {
    ...connection,
    connectionString,
    [Symbol.asyncDispose]: async () => {
      await connection[Symbol.asyncDispose]();
      await withClient(server, (client) => client.query(`drop database if exists ${name} with (force)`));
    },
  };
}

/** The template is named after the content of its migrations and appears by a rename, so it is whole or absent. */
async function ensureTemplate(client: Client, server: string, directory: string): Promise<string> {
  const files = await readMigrationFiles(directory);
  const content = createHash('sha256').update(JSON.stringify(files.map(({ name, sha256 }) => [name, sha256])));
  const template = `drover_template_${content.digest('hex').slice(0, 16)}`;
  await client.query('select pg_advisory_lock($1)', [TEMPLATE_LOCK]);
  try {
    const found = await client.query('select from pg_database where datname = $1', [template]);
    if (found.rowCount === 1) return template;
    const unfinished = `${template}_unfinished`;
    await client.query(`drop database if exists ${unfinished} with (force)`);
    await client.query(`create database ${unfinished} template template0`);
    await migrate(databaseUrl(server, unfinished), { directory, log: () => {} });
    await client.query(`alter database ${unfinished} rename to ${template}`);
    return template;
  } finally {
    await client.query('select pg_advisory_unlock($1)', [TEMPLATE_LOCK]);
  }
}

/** Copying files took 17 ms, the default of 15 and newer 22; older servers know only the copy and not the word. */
async function cloneStrategy(client: Client): Promise<string> {
  const { rows } = await client.query<{ major: number }>(
    `select current_setting('server_version_num')::int / 10000 as major`,
  );
  return (rows[0]?.major ?? 0) >= 15 ? 'strategy file_copy' : '';
}

function databaseUrl(server: string, database: string): string {
  const url = new URL(server);
  url.pathname = `/${database}`;
  return url.href;
}

async function withClient<T>(connectionString: string, use: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString, connectionTimeoutMillis: 10_000 });
  client.on('error', () => {}); // a lost connection also fails the query that uses it
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}
