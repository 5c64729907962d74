/** Starts the Postgres of this machine, whose backups say which build made the database. */
import type { Log } from '@drover/base';
import { startEmbeddedPostgres } from '@drover/embedded-postgres';
import type { EmbeddedPostgres } from '@drover/embedded-postgres';
import { readOrigin } from '@drover/store';

/** @throws {EmbeddedPostgresError}. */
export async function startOwnPostgres(dataDir: string, { log }: { readonly log: Log }): Promise<EmbeddedPostgres> {
  return startEmbeddedPostgres({ dataDir, log, durability: 'full', readOrigin: (url) => readOrigin(url, { log }) });
}
