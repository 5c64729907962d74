// Exports of this room for other rooms.
export { auditHash } from './audit-hash.ts';
export {
  connect,
  CONNECT_TIMEOUT_MS,
  STATEMENT_TIMEOUT_MS,
  type Connection,
  type ConnectOptions,
} from './connection/connect.ts';
export { afterRestore, type RestoredContent } from './after-restore.ts';
export { examineSchema, type SchemaFacts } from './migrate/examine-schema.ts';
export { failureKind, isRetryable, type DatabaseFailure } from './connection/errors.ts';
export { listen, type Listener, type ListenOptions } from './connection/listen.ts';
export { migrate, type MigrateOptions } from './migrate/migrate.ts';
export { MIGRATION_ERRORS, MigrationError } from './migrate/error.ts';
export { OTHER_DATABASE, readOrigin, refuseForeignBackup } from './migrate/origin.ts';
export { withRetry, type RetryOptions } from './connection/retry.ts';
export { json } from './connection/values.ts';
export type * from './port/accounts.ts';
export type * from './port/channels.ts';
export { PLACE_TEST_MS } from './port/channels.ts';
export type * from './port/checkpoints.ts';
export type * from './port/commands.ts';
export type * from './port/due-work.ts';
export { LEASE_DOUBLINGS_MAX } from './port/due-work.ts';
export type * from './port/escalations.ts';
export type * from './port/history.ts';
export type * from './port/incidents.ts';
export type * from './port/machines.ts';
export type * from './port/parcels.ts';
export type * from './port/people.ts';
export type * from './port/policies.ts';
export type * from './port/profiles.ts';
export type * from './port/projects.ts';
export type * from './port/queue.ts';
export { KEY_KEPT_MS } from './port/public/kept-answers.ts';
export type * from './port/public/announcements.ts';
export type * from './port/public/kept-answers.ts';
export type * from './port/public/webhooks.ts';
export type * from './port/reviews.ts';
export type * from './port/runs/runs.ts';
export type * from './port/store.ts';
export type * from './port/runs/usage.ts';
export type * from './port/tasks.ts';
export type * from './port/terminals.ts';
export { CARRIED_BYTES_MAX, replicaChannel } from './port/terminals.ts';
export type * from './port/workers.ts';
export type { Database } from './tables/database.ts';
export { createSqlStore, type SqlStoreOptions } from './sql/store.ts';
export { exportDatabase } from './transfer/export.ts';
export { readExportFile, writeExportFile } from './transfer/files.ts';
export { TRANSFER_ERRORS, TransferError } from './transfer/format.ts';
export { importDatabase, type Imported, type ImportOptions } from './transfer/import.ts';
