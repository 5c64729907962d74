/** Restores a backup of the embedded database, and tells what the restore loses. */
import type { Log } from '@drover/base';
import { restoreBackup } from '@drover/embedded-postgres';
import type { Backup, RestoreOutcome } from '@drover/embedded-postgres';
import { afterRestore, refuseForeignBackup } from '@drover/store';
import type { RestoredContent } from '@drover/store';
import { startOwnPostgres } from './own-postgres.ts';

/** Result of a restore. */
export type Restored =
  | {
      readonly kind: 'restored';
      readonly backup: Backup;
      /** Path that keeps the previous database; null when there was none. */
      readonly aside: string | null;
      readonly content: RestoredContent;
    }
  | Exclude<RestoreOutcome, { readonly kind: 'restored' }>;

/**
 * Puts the newest backup of a date in the place of the database, starts it once, and prepares it for machines that have seen later
 * commands.
 *
 * @throws {EmbeddedPostgresError} `in-use` while Drover runs, and each error that keeps the backup from starting. {MigrationError}
 * `other-build`.
 */
export async function restoreDatabase(options: {
  readonly dataDir: string;
  readonly date: string;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly migrations: string;
  readonly log: Log;
}): Promise<Restored> {
  const { dataDir, log, migrations } = options;
  const outcome = await restoreBackup({
    ...options,
    examine: (backup) => refuseForeignBackup(migrations, backup),
  });
  if (outcome.kind !== 'restored') return outcome;
  await using postgres = await startOwnPostgres(dataDir, { log });
  return { ...outcome, content: await afterRestore(postgres.connectionString, { log }) };
}
