// What may others use of this room?
export type { Clock } from './clock.ts';
export { connect, CONNECT_TIMEOUT_MS, STATEMENT_TIMEOUT_MS, type Connection, type ConnectOptions } from './connect.ts';
export type { Durability } from './embedded/cluster.ts';
export { EMBEDDED_POSTGRES_ERRORS, EmbeddedPostgresError, type EmbeddedPostgresErrorCode } from './embedded/errors.ts';
export { startEmbeddedPostgres, type EmbeddedPostgres, type EmbeddedPostgresOptions } from './embedded/start.ts';
export { failureKind, isRetryable, type DatabaseFailure } from './errors.ts';
export { listen, type Listener, type ListenOptions } from './listen.ts';
export type { Log, LogLevel } from './log.ts';
export { migrate, type MigrateOptions } from './migrate.ts';
export { MIGRATION_ERRORS, MigrationError } from './migration-error.ts';
export { withRetry, type RetryOptions } from './retry.ts';
export { systemClock } from './system-clock.ts';
export { json } from './values.ts';
export type * from './port.ts';
export type { Database } from './schema.ts';
export { createSqlStore, type SqlStoreOptions } from './sql/store.ts';
