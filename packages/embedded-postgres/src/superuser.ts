// Connects as the superuser of the cluster, who is there for its start, its roles and its backups alone. Drover works as the user of roles.ts.
import type { Log } from '@drover/base';
import { Client } from 'pg';

export const SUPERUSER = 'drover';

const CONNECT_TIMEOUT_MS = 10_000;

/**
 * Only names of the server itself count: otherwise a function that the owner of the database named like one of the server's would run with
 * all rights.
 */
const SUPERUSER_OPTIONS = '-c search_path=pg_catalog';

/** Opens one connection, does the work on it and closes it. @throws what Postgres says. */
export async function asSuperuser<T>(
  { connectionString, applicationName, log }: { connectionString: string; applicationName: string; log: Log },
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const client = new Client({
    connectionString,
    application_name: applicationName,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    options: SUPERUSER_OPTIONS,
  });
  client.on('error', (error) => log('debug', `The connection of ${applicationName} was lost: ${error.message}`));
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end(); // ends what was not committed; a replication slot goes with its session
  }
}
