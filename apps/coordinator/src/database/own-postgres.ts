/** Starts the Postgres of this machine, whose backups say which build made the database. */
import { startEmbeddedPostgres } from '@drover/embedded-postgres';
import type { EmbeddedPostgres } from '@drover/embedded-postgres';
import { readOrigin } from '@drover/store';
import type { Log } from '../context/ports.ts';

/** @throws {EmbeddedPostgresError}. */
export async function startOwnPostgres(dataDir: string, { log }: { readonly log: Log }): Promise<EmbeddedPostgres> {
  return startEmbeddedPostgres({ dataDir, log, durability: 'full', readOrigin: (url) => readOrigin(url, { log }) });
}
